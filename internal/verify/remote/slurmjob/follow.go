package slurmjob

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/gpudocs/gpudocs/internal/machine/slurm"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
)

// outSuffix ends the names of the files that a [follower] reads.
const outSuffix = ".out"

// maxLine limits what is kept of an unfinished line.
const maxLine = 64 << 10

// A follower passes on the lines that the nodes write to the files *.out of a folder.
type follower struct {
	folder slurm.Folder
	// line is called with each line and the file's name without .out.
	line  func(label, line string)
	files map[string]*followed
}

type followed struct {
	read  int64
	lines remote.LineWriter
}

// poll passes on new lines. Files that cannot be read now are read later.
func (f *follower) poll() {
	names, err := filepath.Glob(filepath.Join(f.folder.Path, "*"+outSuffix))
	if err != nil {
		return
	}
	for _, name := range names {
		if f.files[name] == nil {
			label := strings.TrimSuffix(filepath.Base(name), outSuffix)
			f.files[name] = &followed{lines: remote.LineWriter{Limit: maxLine, Line: func(line string) { f.line(label, line) }}}
		}
		f.files[name].poll(name)
	}
}

func (f *followed) poll(name string) {
	file, err := slurm.OpenRegular(name)
	if err != nil {
		return
	}
	defer file.Close()
	data, _ := io.ReadAll(io.NewSectionReader(file, f.read, 1<<40)) // what is left is read later
	f.read += int64(len(data))
	_, _ = f.lines.Write(data) // never fails
}

// close passes on unfinished lines.
func (f *follower) close() {
	f.poll()
	for _, file := range f.files {
		file.lines.Flush()
	}
}
