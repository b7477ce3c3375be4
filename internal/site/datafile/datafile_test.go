package datafile

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// sample returns a site's folder with these files, each with its path as content.
func sample(names ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for _, name := range names {
		fsys[name] = &fstest.MapFile{Data: []byte(name)}
	}
	return fsys
}

func TestFiles(t *testing.T) {
	fsys := sample("content/pt/a.csv", "content/pt/b.CSV", "content/pt/d/1.csv", "content/pt/d/2.txt", "content/pt/d/e/3.csv", "content/pt/d/.h/4.csv",
		"content/pt/.hidden.csv", "content/x/5.csv", "root.csv", "content/pt/d-x/6.csv", "content/pt/b c.csv")
	for pattern, want := range map[string]string{
		"a.csv":            "a.csv",
		"./a.csv":          "a.csv",
		"*.csv":            "a.csv b c.csv",
		"[ab].[Cc]*":       "a.csv b.CSV",
		"?.csv":            "a.csv",
		"d/**":             "d/1.csv d/2.txt d/e/3.csv",
		"d/**/*.csv":       "d/1.csv d/e/3.csv",
		"**/*.csv":         "a.csv b c.csv d/1.csv d/e/3.csv d-x/6.csv",
		"**/**/**/3.csv":   "d/e/3.csv",
		"d*/*.csv":         "d/1.csv d-x/6.csv",
		"*/e/*":            "d/e/3.csv",
		"../x/*.csv":       "x/5.csv",
		"../../root.csv":   "root.csv",
		"/root.csv":        "root.csv",
		"/content/*/5.csv": "content/x/5.csv",
		"../../../x":       `error: "../../../x" leads out of the site's folder`,
		"d/../a.csv":       `error: "d/../a.csv" leads out of the site's folder`,
		"/../x":            `error: "/../x" leads out of the site's folder`,
		"d/.h/4.csv":       "error: d/.h/4.csv is hidden, and sessions do not get it",
		"[.]hidden.csv":    `error: no file matches "[.]hidden.csv"`,
		"d/":               `error: "d/" is not a pattern of files`,
		"d//1.csv":         `error: "d//1.csv" is not a pattern of files`,
		"a[":               `error: "a[" is not a pattern of files`,
		`d\1.csv`:          `error: "d\\1.csv" is not a pattern of files`,
		"":                 `error: "" is not a pattern of files`,
		"..":               `error: ".." is not a pattern of files`,
		"/":                `error: "/" is not a pattern of files`,
		"d":                `error: "d" is a folder`,
		"d/*.md":           `error: no file matches "d/*.md"`,
		"a.csv/x":          `error: no file matches "a.csv/x"`,
	} {
		r := NewReader(NewCache(fsys, nil))
		files, err := r.Files("content/pt", pattern)
		got := ""
		for _, f := range files {
			got += " " + f.Name
			if f.SHA256 == "" || path.Base(f.Path) != path.Base(f.Name) || int(f.Size) != len(f.Path) {
				t.Errorf("%s: %+v", pattern, f)
			}
		}
		if err != nil {
			got = " error: " + err.Error()
			if diag.Plain(err).Hint().IsZero() {
				t.Errorf("%s: no hint", pattern)
			}
		}
		if got = got[min(1, len(got)):]; got != want {
			t.Errorf("%s: got %s, want %s", pattern, got, want)
		}
	}
}

func TestLimits(t *testing.T) {
	fsys := fstest.MapFS{}
	for i := range MaxFiles + 1 {
		fsys[fmt.Sprintf("many/%d.csv", i)] = &fstest.MapFile{}
	}
	for i := range maxVisited/MaxFiles + 1 {
		for j := range MaxFiles {
			fsys[fmt.Sprintf("deep/%d/%d.txt", i, j)] = &fstest.MapFile{}
		}
	}
	for pattern, want := range map[string]string{
		"many/*":       `more than 1000 files match "many/*"`,
		"deep/**/none": `"deep/**/none" searches more than 100000 names`,
	} {
		if err := Check(fsys, ".", pattern); err == nil || err.Error() != want {
			t.Errorf("%s: %+v", pattern, err)
		}
	}
}

func TestHashedOnce(t *testing.T) {
	old := time.Now().Add(-time.Hour)
	fsys := sample("a.csv", "b.csv")
	fsys["a.csv"].ModTime, fsys["b.csv"].ModTime = old, time.Now()
	load := func(before *Cache) (*Cache, []site.DataFile) {
		c := NewCache(fsys, before)
		files, err := NewReader(c).Files(".", "*.csv")
		if err != nil {
			t.Fatal(err)
		}
		return c, files
	}
	c, first := load(nil)
	// The content changes, and the times stay.
	fsys["a.csv"].Data, fsys["b.csv"].Data = []byte("A.csv"), []byte("B.csv")
	c, second := load(c)
	if first[0] != second[0] {
		t.Error("a file of the same size and time was hashed again")
	}
	if first[1].SHA256 == second[1].SHA256 {
		t.Error("a file that was just changed was not hashed again")
	}
	fsys["a.csv"].ModTime = old.Add(time.Second)
	if _, third := load(c); third[0].SHA256 == first[0].SHA256 {
		t.Error("a changed file was not hashed again")
	}
}

func TestImports(t *testing.T) {
	code := strings.Join([]string{
		"import a, b.c as d, e", "  from f import g, h as i", ">>> import j", "try: import k; import l", "from m import (n,", "   o)  # import x",
		"from .p import q", "from . import r", "import s \\", "  , t", "# import u", "from v import *", "importlib", "x = 'import w'", "from y.z import z1",
		"import é", "import 9x", "imported = from_", "import",
	}, "\n")
	var got []string
	for _, i := range Imports(code) {
		got = append(got, fmt.Sprintf("%d:%s", i.Line, i.Name))
	}
	want := "0:a 0:b.c 0:e 1:f 1:f.g 1:f.h 2:j 3:k 3:l 4:m 4:m.n 4:m.o 8:s 8:t 11:v 14:y.z 14:y.z.z1 15:é"
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
}

func TestModules(t *testing.T) {
	fsys := sample("c/util.py", "c/pkg/__init__.py", "c/pkg/sub/deep.py", "c/pkg/data.json", "c/pkg/.x.py", "c/pkg/__pycache__/x.py", "c/space/one.py", "c/space/two.py",
		"c/torch/train.py", "c/both.py", "c/both/__init__.py", "c/random.py", "other.py", "c/loop1.py", "c/loop2.py", "c/folder.py/x")
	fsys["c/util.py"].Data = []byte("import os\nfrom pkg.sub import deep\n")
	fsys["c/loop1.py"].Data, fsys["c/loop2.py"].Data = []byte("import loop2"), []byte("import loop1")
	for name, want := range map[string]string{
		"util":      "util.py pkg/__init__.py pkg/sub/deep.py",
		"pkg.none":  "pkg/__init__.py pkg/sub/deep.py",
		"space":     "",
		"space.one": "space/one.py space/two.py",
		"torch":     "",
		"torch.nn":  "",
		"both":      "both/__init__.py",
		"random":    "random.py",
		"other":     "",
		"loop1":     "loop1.py loop2.py",
		"folder":    "",
	} {
		files, err := NewReader(NewCache(fsys, nil)).Module("c", name)
		var got []string
		for _, f := range files {
			got = append(got, f.Name)
		}
		if strings.Join(got, " ") != want || err != nil {
			t.Errorf("%s: got %v, want %s, %v", name, got, want, err)
		}
	}
}

// FuzzPattern checks that a pattern finds only visible files of the site, below their names.
func FuzzPattern(f *testing.F) {
	for _, s := range []string{"*.csv", "d/**/x", "../a.csv", "/root.csv", "[a-", "**/**/**", "..//x", "./.", "?"} {
		f.Add(s)
	}
	fsys := sample("content/pt/a.csv", "content/pt/d/x", "content/.git/config", "content/a.csv", "root.csv", ".env")
	f.Fuzz(func(t *testing.T, pattern string) {
		files, err := NewReader(NewCache(fsys, nil)).Files("content/pt", pattern)
		if (err == nil) != (len(files) > 0) {
			t.Fatalf("%d files, %+v", len(files), err)
		}
		if err != nil && (err.Error() == "" || diag.Plain(err).Hint().IsZero()) {
			t.Fatalf("%+v", err)
		}
		var names []string
		for _, f := range files {
			if fsys[f.Path] == nil || strings.Contains(f.Path, "/.") || f.Path[0] == '.' || !strings.HasSuffix("/"+f.Path, "/"+f.Name) {
				t.Fatalf("%+v", f)
			}
			names = append(names, f.Name)
		}
		if slices.Sort(names); len(slices.Compact(names)) != len(files) {
			t.Fatalf("a file twice: %v", names)
		}
	})
}

// FuzzImports checks that what is found is a name that is written in the code.
func FuzzImports(f *testing.F) {
	f.Add("import a, b.c as d\nfrom x import (y,\n z)\n")
	f.Add(">>> from a import b; import c \\\n d")
	f.Fuzz(func(t *testing.T, code string) {
		lines := strings.Split(code, "\n")
		for _, i := range Imports(code) {
			if i.Line >= len(lines) || i.From > i.To || i.To > len(lines[i.Line]) {
				t.Fatalf("%+v", i)
			}
			for part := range strings.SplitSeq(i.Name, ".") {
				if part == "" || !strings.Contains(code, part) || strings.ContainsAny(part, " /\\") {
					t.Fatalf("%+v", i)
				}
			}
		}
	})
}
