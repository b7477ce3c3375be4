package publish

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
	"github.com/gpudocs/gpudocs/internal/memo"
)

// A record says what the files of an output were made of, and how they looked when they were
// written. It lets a build leave out what would be the same: the file of an earlier build is in
// the output, so nothing but the record is kept of it. A record that is missing, damaged or of another output
// costs time, and changes no byte: a file counts as the recorded one only if its size, its times
// and its place on the disk are the same. Two builds into one output write their records one after the other, and the files of one
// do not look like those in the record of the other.
type record struct {
	traces memo.Traces
	looks  map[string]look
}

// A look is what the system says of a file without reading it.
type look struct {
	Size, Modified int64
	Mode           fs.FileMode
	System         systemLook
}

func lookOf(name string) (look, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return look{}, err
	}
	return look{info.Size(), info.ModTime().UnixNano(), info.Mode(), systemLookOf(info)}, nil
}

// linked returns the look of a file that got a second name.
func (l look) linked() look {
	l.System.Changed = 0
	return l
}

// recordForm is the form of a record's file.
type recordForm struct {
	Output    string
	Questions []string
	Files     []fileForm
}

type fileForm struct {
	Name string
	Key  memo.Key
	// Questions are indexes into those of the form.
	Questions []uint32
	Look      look
}

// readRecord reads the record of an output folder, or returns an empty one.
func readRecord(file, output string) record {
	r := record{memo.Traces{}, map[string]look{}}
	data, err := os.ReadFile(file)
	if err != nil || len(data) < sha256.Size {
		return r
	}
	data, sum := data[sha256.Size:], data[:sha256.Size]
	var form recordForm
	if want := sha256.Sum256(data); !bytes.Equal(sum, want[:]) || gob.NewDecoder(bytes.NewReader(data)).Decode(&form) != nil || form.Output != output {
		return r
	}
	for _, f := range form.Files {
		trace := memo.Trace{Key: f.Key, Questions: make([]string, len(f.Questions))}
		for i, q := range f.Questions {
			if int(q) >= len(form.Questions) {
				return record{memo.Traces{}, map[string]look{}}
			}
			trace.Questions[i] = form.Questions[q]
		}
		r.traces[f.Name], r.looks[f.Name] = trace, f.Look
	}
	return r
}

// writeRecord writes the record of an output that is in place as a folder. A file that somebody has
// changed since it was written is left out, and if another build has replaced the folder nothing is
// written. That a record cannot be written is no reason to fail: the next build makes everything again.
func (t *output) writeRecord(ctx context.Context, file, output string, folder fs.FileInfo) {
	traces, looks := t.traces, t.looks
	form := recordForm{Output: output, Files: make([]fileForm, len(traces))}
	numbers := map[string]uint32{}
	names := make([]string, 0, len(traces))
	for name := range traces {
		names = append(names, name)
	}
	slices.Sort(names)
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		f := &form.Files[i]
		f.Name, f.Key = name, traces[name].Key
		for _, q := range traces[name].Questions {
			n, ok := numbers[q]
			if !ok {
				n = uint32(len(numbers))
				numbers[q] = n
				form.Questions = append(form.Questions, q)
			}
			f.Questions = append(f.Questions, n)
		}
		g.Go(func() error {
			var err error
			if f.Look, err = lookOf(filepath.Join(output, filepath.FromSlash(name))); err != nil || f.Look.linked() != looks[name].linked() {
				f.Key = memo.Key{}
			}
			return ctx.Err()
		})
	}
	var b bytes.Buffer
	b.Write(make([]byte, sha256.Size))
	if g.Wait() != nil || gob.NewEncoder(&b).Encode(form) != nil {
		return
	}
	// The output is still ours, so it was when its files were looked at: one that was replaced never
	// comes back.
	if now, err := os.Stat(output); err != nil || folder == nil || !os.SameFile(now, folder) {
		return
	}
	sum := sha256.Sum256(b.Bytes()[sha256.Size:])
	copy(b.Bytes(), sum[:])
	if os.MkdirAll(filepath.Dir(file), 0o700) != nil || atomicfile.Write(file, b.Bytes(), 0o600) != nil {
		return
	}
	removeOldRecords(filepath.Dir(file))
}

// maxRecords bounds the records of a user: each takes some hundred bytes for each file of a site.
const maxRecords = 20

func removeOldRecords(dir string) {
	entries, _ := os.ReadDir(dir)
	if len(entries) <= maxRecords {
		return
	}
	times := map[string]time.Time{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			times[e.Name()] = info.ModTime()
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return times[b.Name()].Compare(times[a.Name()]) })
	for _, e := range entries[maxRecords:] {
		_ = os.Remove(filepath.Join(dir, e.Name()))
	}
}
