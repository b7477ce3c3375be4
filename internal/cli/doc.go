// Package cli is gpudocs on the command line. [Main] runs it in this process, [Run] on injected
// streams. Each group of commands is a package below: sitecmd, servecmd, verifycmd, reportcmd and
// machinecmd. They share the packages env, exit, words and outputs, and work on a site's folder through package project.
//
// Data flows from flags to the packages that do the work (site, verify, render, publish, serve), and from what these
// return, data and errors, to text and exit codes.
//
// Exit codes: 0 success, 1 a check or a strict rule failed, 2 wrong usage or broken content,
// 3 gpudocs itself failed, 130 interrupted.
package cli
