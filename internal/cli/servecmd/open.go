package servecmd

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// openIn opens the site in the browser. An address with a token is not passed as an argument, which
// other users of the machine could read: the browser reads it from a file that only this user
// can read, and that forget removes.
func (p *previewer) openIn(address string) (forget func()) {
	if strings.HasSuffix(address, "/") {
		openBrowser(address)
		return func() {}
	}
	file := p.reader.Path(project.PrivateDir, "open.html")
	page := fmt.Sprintf(`<!doctype html><meta charset="utf-8"><title>gpudocs</title><meta http-equiv="refresh" content="0; url=%s">`+"\n", address)
	err := p.reader.MakePrivate()
	if err == nil {
		_ = os.Remove(file) // left by a start that was killed, perhaps with other permissions
		err = os.WriteFile(file, []byte(page), 0o600)
	}
	if err != nil {
		p.Warn(diag.Say("cli.browser-failed", "why", err))
		return func() {}
	}
	openBrowser(file)
	return func() { _ = os.Remove(file) }
}

// openBrowser asks the desktop to open the address, which the terminal shows as well.
func openBrowser(address string) {
	name := "xdg-open"
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name = "explorer"
	}
	if c := exec.Command(name, address); c.Start() == nil {
		go func() { _ = c.Wait() }()
	}
}
