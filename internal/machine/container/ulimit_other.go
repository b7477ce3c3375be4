//go:build !linux

package container

func ulimits() []string { return nil }
