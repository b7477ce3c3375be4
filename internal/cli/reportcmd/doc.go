// Package reportcmd has the commands that read reports: show, diff and prune.
package reportcmd
