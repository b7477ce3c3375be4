package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/cli/exit"
)

// TestInterruptedDrawing checks that Ctrl-C does not wait for diagrams. Drawing these takes
// half a minute on two idle CPUs.
func TestInterruptedDrawing(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var page strings.Builder
	page.WriteString("# Mapas\n\n")
	for n := range 16 {
		page.WriteString("```mermaid\nmindmap\n")
		for depth := range 60 {
			fmt.Fprintf(&page, "%*s%d\n", depth+1, "", n)
		}
		page.WriteString("```\n\n")
	}
	site := t.TempDir()
	for name, text := range map[string]string{"gpudocs.toml": "title = \"T\"\n[languages.pt]\nname = \"Português\"\n", "content/pt/index.md": page.String()} {
		file := filepath.Join(site, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{"build", "check"} {
		ctx, interrupt := context.WithCancel(t.Context())
		var printed bytes.Buffer
		ended := make(chan int, 1)
		go func() {
			ended <- Run(ctx, []string{command, "--site", site}, strings.NewReader(""), &printed, &printed)
		}()
		select {
		case code := <-ended:
			t.Fatalf("%s: code %d before the interrupt: %s", command, code, printed.String())
		case <-time.After(400 * time.Millisecond):
			interrupt()
		}
		select {
		case code := <-ended:
			if code != exit.Signal {
				t.Errorf("%s: code %d: %s", command, code, printed.String())
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s does not end after the interrupt", command)
		}
	}
}
