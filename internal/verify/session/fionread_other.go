//go:build unix && !linux

package session

const fionread = 0x4004667f // FIONREAD of the BSDs and macOS, which package unix lacks
