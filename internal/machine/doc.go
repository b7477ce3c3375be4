// Package machine groups what a machine has, and how fast it is. It has no code of its own.
//
// Data flows from the machine to a report: gpu and pyenv read what is installed, cuda multiplies matrices,
// bench measures that, and slurm submits jobs. Whatever may crash or hang runs in a
// subprocess. The packages import report and text; nothing here knows pages or sites.
package machine
