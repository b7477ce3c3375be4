// Command gpudocs builds multilingual GPU tutorials whose snippets prove
// themselves. See gpudocs --help, and docs/ for the manual.
package main

import "github.com/gpudocs/gpudocs/internal/cli"

func main() { cli.Main() }
