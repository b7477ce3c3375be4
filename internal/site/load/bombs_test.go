package load_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io/fs"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// allocated returns the total number of bytes that a function allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// bombs are the heads of images that declare more pixels than fit into memory, without any pixel data.
func bombs() map[string][]byte {
	header := []byte("IHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x10\x06\x00\x00\x00")
	png := binary.BigEndian.AppendUint32(append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), header...), crc32.ChecksumIEEE(header))
	jpeg := []byte("\xff\xd8\xff\xc0\x00\x11\x08\xff\xff\xff\xff\x03\x01\x22\x00\x02\x11\x01\x03\x11\x01\xff\xda\x00\x0c\x03\x01\x00\x02\x11\x03\x11\x00\x3f\x00")
	gif := []byte("GIF89a\xff\xff\xff\xff\x00\x00\x00\x2c\x00\x00\x00\x00\xff\xff\xff\xff\x00\x08\x00")
	// The canvas of WebP is of one pixel, the frame in it of 16,383 x 16,383.
	frame := append([]byte("\x10\x00\x00\x9d\x01\x2a\xff\x3f\xff\x3f"), make([]byte, 64)...)
	chunk := func(name string, body []byte) []byte {
		return append(binary.LittleEndian.AppendUint32([]byte(name), uint32(len(body))), body...)
	}
	riff := func(chunks ...[]byte) []byte {
		body := append([]byte("WEBP"), bytes.Join(chunks, nil)...)
		return chunk("RIFF", body)
	}
	return map[string][]byte{
		"a.png": png, "a.jpg": jpeg, "a.gif": gif, "a.webp": riff(chunk("VP8 ", frame)),
		"b.webp": riff(chunk("VP8X", make([]byte, 10)), chunk("VP8 ", frame)),
		"c.webp": riff(chunk("VP8L", append([]byte{0x2f, 0xff, 0xff, 0xff, 0x0f}, make([]byte, 64)...))),
		"d.webp": riff(chunk("VP8X", make([]byte, 10)), chunk("VP8L", append([]byte{0x2f, 0xff, 0xff, 0xff, 0x0f}, make([]byte, 64)...))),
		"a.svg":  []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="1e308" height="1e308" viewBox="0 0 1e308 1e308"/>`),
	}
}

// TestImageBombs checks that the declared pixels of an image are not allocated, neither to find its size nor
// to check whether it is complete.
func TestImageBombs(t *testing.T) {
	for name, data := range bombs() {
		fsys := sitetest.FS(map[string]string{"content/pt/x.md": "# X\n\n![a](" + name + ")\n"})
		fsys["content/pt/"+name] = &fstest.MapFile{Data: data}
		var s *site.Site
		var size, whole error
		took := allocated(func() {
			s, _ = load.Load(fsys, load.Options{})
			_, size = s.ImageSize("pt/" + name)
			whole = s.DecodeImage("pt/" + name)
		})
		t.Logf("%s: %d KiB, %v, %v", name, took>>10, size, whole)
		if took > 8<<20 {
			t.Errorf("%s of %d bytes takes %d MiB", name, len(data), took>>20)
		}
	}
}

// sized is a file system whose files report an arbitrary size, and fail the test if they are read.
type sized struct {
	fs.FS
	name string
	size int64
	t    *testing.T
}

func (s sized) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(s.FS, name)
	if name == s.name && err == nil {
		return large{info, s.size}, nil
	}
	return info, err
}

func (s sized) Open(name string) (fs.File, error) {
	if name == s.name {
		s.t.Errorf("%s is read", name)
	}
	return s.FS.Open(name)
}

type large struct {
	fs.FileInfo
	size int64
}

func (l large) Size() int64 { return l.size }

// TestLargeFiles checks that files that are too large are rejected without reading them.
func TestLargeFiles(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"content/pt/a.md": "a page of more than 16 MiB", "content/pt/b.ipynb": "a notebook of more than 64 MiB", "gpudocs.toml": "it has more than 64 MiB", "refs.bib": "it has more than 64 MiB",
	} {
		fsys := sitetest.FS(map[string]string{"content/pt/x.md": "# X\n", "content/pt/a.md": "# A\n", "content/pt/b.ipynb": "{}", "refs.bib": ""})
		if name == "refs.bib" {
			fsys["gpudocs.toml"].Data = []byte("[markdown]\nbibliography = \"refs.bib\"\n")
		}
		_, diags := load.Load(sized{fsys, name, 100 << 20, t}, load.Options{})
		if !strings.Contains(fmt.Sprint(diags), want) {
			t.Errorf("%s: %v", name, diags)
		}
	}
}

// TestLongLines checks that a page of one line of the maximum length takes memory proportional to it, and that
// a long text of a notebook is cut.
func TestLongLines(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes hundreds of megabytes")
	}
	for name, text := range map[string]string{
		"text":  "# X\n\n" + strings.Repeat("a ", 8<<20)[:15<<20] + "\n",
		"word":  "# X\n\n" + strings.Repeat("a", 15<<20) + "\n",
		"code":  "# X\n\n```text\n" + strings.Repeat("a", 15<<20) + "\n```\n",
		"title": "# " + strings.Repeat("a", 15<<20) + "\n",
		"cells": `{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "metadata": {}, "source": "1", "outputs": [{"output_type": "stream", "name": "stdout", "text": "` + strings.Repeat("a", 60<<20) + `"}]}]}`,
	} {
		file := "content/pt/x.md"
		if name == "cells" {
			file = "content/pt/x.ipynb"
		}
		fsys := sitetest.FS(map[string]string{file: text})
		begin := time.Now()
		took := allocated(func() { load.Load(fsys, load.Options{}) })
		t.Logf("%s: %d MiB for %d, %v", name, took>>20, len(text)>>20, time.Since(begin))
		if most := uint64(40 * len(text)); took > most {
			t.Errorf("%s: %d MiB for %d", name, took>>20, len(text)>>20)
		}
	}
}

// TestDeep checks that front matter, configuration and notebooks with endless nesting or self-references are
// rejected without crashing the program.
func TestDeep(t *testing.T) {
	t.Parallel()
	laughs := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c <= 'i'; c++ {
		laughs += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c, ", c-1), 9), ", "))
	}
	for name, files := range map[string]map[string]string{
		"laughs":   {"content/pt/x.md": "---\n" + laughs + "title: *i\n---\n# X\n"},
		"tags":     {"content/pt/x.md": "---\n" + laughs + "tags: *i\nredirect_from: *i\n---\n# X\n"},
		"yaml":     {"content/pt/x.md": "---\ntitle: " + strings.Repeat("[", 4000) + "\n---\n# X\n"},
		"notebook": {"content/pt/x.ipynb": `{"nbformat": 4, "cells": ` + strings.Repeat("[", 1<<20)},
		"metadata": {"content/pt/x.ipynb": `{"nbformat": 4, "cells": [], "metadata": ` + strings.Repeat(`{"a":`, 1<<18) + "1" + strings.Repeat("}", 1<<18) + "}"},
		"toml":     {"gpudocs.toml": "[params]\na = " + strings.Repeat("[", 500_000) + strings.Repeat("]", 500_000) + "\n"},
		"tables":   {"gpudocs.toml": "[params]\na = " + strings.Repeat("{a = ", 150_000) + "1" + strings.Repeat("}", 150_000) + "\n"},
	} {
		fsys := sitetest.FS(map[string]string{"content/pt/y.md": "# Y\n"})
		for name, text := range files {
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
		}
		begin := time.Now()
		took := allocated(func() {
			if _, diags := load.Load(fsys, load.Options{}); !diags.HasErrors() {
				t.Errorf("%s is accepted", name)
			}
		})
		t.Logf("%s: %d MiB, %v", name, took>>20, time.Since(begin))
		if took > 1<<30 {
			t.Errorf("%s takes %d MiB", name, took>>20)
		}
	}
}
