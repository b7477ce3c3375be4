// Package machinecmd has the commands about this machine: doctor, env and bench.
package machinecmd
