// Package reportcmd has the commands that read reports: show, diff, merge and prune.
package reportcmd
