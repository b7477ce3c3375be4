package sitefile

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

func TestHidden(t *testing.T) {
	for name, want := range map[string]bool{
		".git": true, ".git/config": true, "a/.env": true, "a/.b/c": true, "...": true, "..a": true,
		"": false, ".": false, "a": false, "a.b": false, "a./b": false, "a/b.c/d": false, "./a": false,
	} {
		if got := IsHidden(name); got != want {
			t.Errorf("Hidden(%q) = %v", name, got)
		}
	}
}

// site holds files (NAME) and symbolic links (NAME -> TARGET).
func site(entries ...string) fs.FS {
	fsys := fstest.MapFS{}
	for _, e := range entries {
		name, target, link := strings.Cut(e, " -> ")
		fsys[name] = &fstest.MapFile{Data: []byte(target)}
		if link {
			fsys[name].Mode = fs.ModeSymlink
		}
	}
	return fsys
}

func TestPublishable(t *testing.T) {
	fsys := site("content/a.csv", "content/deep/b.csv", ".git/config", "content/.env", "data/.private/c.csv", "data/c.csv", "data/.d -> c.csv",
		"content/link -> a.csv", "content/up -> ../data/c.csv", "content/folder -> ../data", "content/absolute -> /etc/passwd", "content/out -> ../../x",
		"content/gone -> nothing", "content/config -> ../.git/config", "content/env -> .env",
		"content/chain -> chain2", "content/chain2 -> ../data/.private/c.csv", "content/through -> ../data/.d", "content/private -> ../data/.private",
		"content/deeper -> folder", "content/twice -> link").(fstest.MapFS)
	fsys["content/pipe"] = &fstest.MapFile{Mode: fs.ModeNamedPipe}
	const published = "published"
	for name, want := range map[string]string{
		"content/a.csv": published, "content/deep/b.csv": published, "content/link": published, "content/twice": published, "content/up": published,
		"content/folder/c.csv": published, "content/deeper/c.csv": published,
		"content/folder": "a symbolic link to a folder is not followed", "content/deep": "a symbolic link to a folder is not followed",
		"content/absolute": "file does not exist", "content/out": "file does not exist", "content/gone": "file does not exist", "content/none": "file does not exist",
		"content/pipe":          "it is not a regular file",
		"content/config":        "a symbolic link to .git/config, which is hidden",
		"content/env":           "a symbolic link to content/.env, which is hidden",
		"content/chain":         "a symbolic link to data/.private/c.csv, which is hidden",
		"content/through":       "a symbolic link to data/.d, which is hidden", // although the target's own name is not hidden
		"content/private/c.csv": "a symbolic link to data/.private/c.csv, which is hidden",
		"content/folder/.d":     "a symbolic link to data/.d, which is hidden",
	} {
		d, ok := Publishable(fsys, name)
		if ok != (want == published) || !ok && !strings.Contains(d.Error(), want) || !ok && d.File != name {
			t.Errorf("%s: %v, %v, want %q", name, ok, d, want)
		}
	}
}

// TestManyLinks checks that a hidden file is found at the end of the longest chain of links that systems
// follow, and that endless links and links out of the site are not reported here: reading them fails.
func TestManyLinks(t *testing.T) {
	entries := []string{"loop -> other", "other -> loop", "out -> ../.secret", "absolute -> /.secret", ".secret"}
	for i := range maxLinks - 1 {
		entries = append(entries, fmt.Sprintf("%d -> %d", i, i+1))
	}
	fsys := site(append(entries, fmt.Sprintf("%d -> .secret", maxLinks-1))...)
	if _, hidden := LinksToHidden(fsys, "0"); !hidden {
		t.Errorf("the hidden file behind %d links is not found", maxLinks)
	}
	for _, name := range []string{"loop", "out", "absolute"} {
		if d, hidden := LinksToHidden(fsys, name); hidden {
			t.Errorf("%s leads nowhere within the site: %v", name, d)
		}
	}
}

// TestFollow checks which path a link makes of a path.
func TestFollow(t *testing.T) {
	fsys := site("a/b/c.csv", "link -> a", "a/inner -> b/c.csv", "a/up -> ../link", "out -> ../x", "absolute -> /etc", "dot -> .")
	for name, want := range map[string]string{
		"link": "a", "link/b/c.csv": "a/b/c.csv", "link/inner": "a/inner", "a/inner": "a/b/c.csv", "a/up": "link", "a/up/b": "link/b", "dot/a": "a",
		"a/b/c.csv": "", "out": "", "out/x": "", "absolute/passwd": "", "none": "", "a/none/b": "", "": "",
	} {
		target, ok := FollowLink(fsys, name)
		if ok != (want != "") || ok && target != want {
			t.Errorf("%s leads to %q, %v; want %q", name, target, ok, want)
		}
	}
}
