// Package machinecmd has the commands about this machine: doctor and bench.
package machinecmd
