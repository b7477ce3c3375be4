package servecmd

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// openIn opens the site in the browser. An address with a token is not passed as an argument, which
// other users of the machine could read: the browser reads it from a file that only this user
// can read, and that forget removes.
func openIn(a *env.Env, address, path string) (forget func()) {
	if path == "/" {
		openBrowser(address)
		return func() {}
	}
	file := a.Path(workspace.PrivateDir, "open.html")
	page := fmt.Sprintf("<!doctype html><meta charset=\"utf-8\"><title>gpudocs</title><meta http-equiv=\"refresh\" content=\"0; url=%s\">\n",
		strings.TrimSuffix(address, "/")+path)
	abs, err := filepath.Abs(file)
	if err == nil {
		err = workspace.Gitignore(a.Path(workspace.PrivateDir))
	}
	if err == nil {
		_ = os.Remove(file) // left by a start that was killed, perhaps with other permissions
		err = os.WriteFile(file, []byte(page), 0o600)
	}
	if err != nil {
		a.Warn(diag.Say("cli.browser-failed", "why", err))
		return func() {}
	}
	openBrowser(abs)
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
