package tools

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/site/recipe"
	"github.com/gpudocs/gpudocs/internal/verify/session"
	"github.com/gpudocs/gpudocs/test/programtest"
)

func TestVersionIn(t *testing.T) {
	for _, tt := range [][2]string{
		{"gcc (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright (C) 2022", "12.2.0"},
		{"gcc (GCC) 8.5.0 20210514 (Red Hat 8.5.0-18)", "8.5.0"},
		{"gcc (crosstool-NG 1.25.0) 12.2.0", "12.2.0"},
		{"Apple clang version 15.0.0 (clang-1500.3.9.4)", "15.0.0"},
		{"nvcc: NVIDIA (R) Cuda compiler driver\nCopyright (c) 2005-2026\nCuda compilation tools, release 12.4, V12.4.131\nBuild x", "12.4.131"},
		{"\nnvfortran 24.1-0 64-bit target on x86-64 Linux", "24.1"},
		{"rustc 1.75.0 (82e1608df 2023-12-21)", "1.75.0"},
		{"go version go1.26.8 linux/amd64", "1.26.8"},
		{"openjdk 17.0.15 2025-04-15", "17.0.15"},
		{"GNU Octave, version 7.3.0", "7.3.0"},
		{"v20.20.2\n", "20.20.2"},
		{"build abc\nmore", "build abc"},
		{"", ""},
	} {
		if got := versionIn(tt[0]); got != tt[1] {
			t.Errorf("%q: %q, want %q", tt[0], got, tt[1])
		}
	}
}

func FuzzVersionIn(f *testing.F) {
	f.Add("gcc (GCC) 8.5.0 20210514")
	f.Fuzz(func(t *testing.T, output string) {
		if got := versionIn(output); len(got) > 200 || !utf8.ValidString(got) || strings.Contains(got, "\n") {
			t.Errorf("%q", got)
		}
	})
}

// TestProbeBroken asks compilers that are in PATH and do not work: rustup's without a toolchain, java of macOS. A
// compiler that $CC names may know no --version.
func TestProbeBroken(t *testing.T) {
	programtest.Need(t, "bash")
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for _, tt := range []struct{ language, program, script, wantMissing string }{
		{"rust", "rustc", "echo 'error: rustup could not choose a version of rustc to run' >&2; exit 1", "rustc"},
		{"java", "java", "echo 'Unable to locate a Java Runtime.' >&2; exit 1", "java"},
		{"go", "go", "echo go version go1.26.8 linux/amd64", ""},
		{"c", "xlc", "echo 1501-216 unknown option; exit 1", ""},
		{"c", "gcc", "kill -SEGV $$", "gcc"},
	} {
		if err := os.WriteFile(filepath.Join(dir, tt.program), []byte("#!/bin/sh\n"+tt.script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("CC", "")
		if tt.program == "xlc" {
			t.Setenv("CC", "xlc")
		}
		r, ok := recipe.Builtin(tt.language)
		if !ok {
			t.Fatal(tt.language)
		}
		k := Key{Interpreter: session.Bash, Recipe: &r}
		if got := (Finder{}).Find(t.Context(), []Key{k})[k]; strings.TrimPrefix(got.Missing.Error(), "no-interpreter: ") != tt.wantMissing {
			t.Errorf("%s with %s: missing %q, want %q", tt.language, tt.program, got.Missing, tt.wantMissing)
		}
	}
}

// TestProbeRecipe asks compilers that the variables of a cluster name, that are missing, fail, or print without end.
func TestProbeRecipe(t *testing.T) {
	programtest.Need(t, "bash")
	dir := t.TempDir()
	script := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
			t.Fatal(err)
		}
		return file
	}
	compiler := script("mycc", "echo mycc version 3.2.1")
	for _, tt := range []struct{ name, program, wantProgram, wantMissing string }{
		{"by a variable", "${TEST_CC:-gcc}", "mycc 3.2.1", ""},
		{"behind another", "env " + compiler, "env 3.2.1", ""}, // only the program of the command is named
		{"missing", "no-such-compiler", "", "no-such-compiler"},
		{"fails", script("fails", "echo 1.2.3; exit 3"), "", ""},
		{"on stderr", script("err", "echo err 1.2.3 >&2"), "err 1.2.3", ""},
		{"without end", script("loud", "while :; do echo 1.2.3 1.2.3 1.2.3 1.2.3 1.2.3 1.2.3 1.2.3 1.2.3; done"), "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("TEST_CC", compiler)
			r := &recipe.Recipe{Name: "x", Run: "x", Custom: true, Version: tt.program + " --version"}
			k := Key{Interpreter: session.Bash, Recipe: r}
			got := Finder{}.Find(context.Background(), []Key{k})[k]
			if got.Program != tt.wantProgram || got.Name != tt.wantProgram || strings.TrimPrefix(got.Missing.Error(), "no-interpreter: ") != tt.wantMissing {
				t.Errorf("program %q, name %q, missing %q", got.Program, got.Name, got.Missing)
			}
		})
	}
}
