package publish

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
	"github.com/gpudocs/gpudocs/internal/memo"
)

// A record holds the traces of the files of an output, and their states when they were written. With it a
// build skips files that would be the same. The files themselves are in the output, so the record contains no
// copy of them. A file counts as the recorded one only if its size, mode, times and inode are the
// same. So a record that is missing, damaged or of another build costs time, but changes no byte.
type record struct {
	traces memo.Traces
	states map[string]fileState
}

func newRecord() record { return record{memo.Traces{}, map[string]fileState{}} }

// A fileState is what the file system knows of a file without reading it.
type fileState struct {
	Size, Modified int64
	Mode           fs.FileMode
	System         systemState
}

func stateOf(name string) (fileState, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return fileState{}, err
	}
	return fileState{info.Size(), info.ModTime().UnixNano(), info.Mode(), systemStateOf(info)}, nil
}

// withoutChangeTime returns the part of the state that a second name does not change.
func (s fileState) withoutChangeTime() fileState {
	s.System.Changed = 0
	return s
}

// recordForm is the form of a record's file.
type recordForm struct {
	Output string
	Facts  []string
	Files  []fileForm
}

type fileForm struct {
	Name string
	Key  memo.Key
	// Facts are indexes into those of the form.
	Facts []uint32
	State fileState
}

// readRecord reads the record of an output folder, or returns an empty one.
func readRecord(file, output string) record {
	r := newRecord()
	data, err := os.ReadFile(file)
	if err != nil || len(data) < sha256.Size {
		return r
	}
	data, sum := data[sha256.Size:], data[:sha256.Size]
	if want := sha256.Sum256(data); !bytes.Equal(sum, want[:]) {
		return r
	}
	var form recordForm
	if gob.NewDecoder(bytes.NewReader(data)).Decode(&form) != nil || form.Output != output {
		return r
	}
	for _, f := range form.Files {
		trace := memo.Trace{Key: f.Key, Facts: make([]string, len(f.Facts))}
		for i, fact := range f.Facts {
			if int(fact) >= len(form.Facts) {
				return newRecord()
			}
			trace.Facts[i] = form.Facts[fact]
		}
		r.traces[f.Name], r.states[f.Name] = trace, f.State
	}
	return r
}

// writeRecord writes the record of an output that is in place as a folder. A file that somebody has
// changed since it was written is left out, and if another build has replaced the folder nothing is
// written. That a record cannot be written is no reason to fail: the next build makes everything again.
func (t *output) writeRecord(ctx context.Context, file, output string, folder fs.FileInfo) {
	traces, states := t.now.traces, t.now.states
	form := recordForm{Output: output, Files: make([]fileForm, len(traces))}
	numbers := map[string]uint32{}
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range slices.Sorted(maps.Keys(traces)) {
		f := &form.Files[i]
		f.Name, f.Key = name, traces[name].Key
		for _, fact := range traces[name].Facts {
			n, ok := numbers[fact]
			if !ok {
				n = uint32(len(numbers))
				numbers[fact] = n
				form.Facts = append(form.Facts, fact)
			}
			f.Facts = append(f.Facts, n)
		}
		g.Go(func() error {
			var err error
			f.State, err = stateOf(filepath.Join(output, filepath.FromSlash(name)))
			if err != nil || f.State.withoutChangeTime() != states[name].withoutChangeTime() {
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
