package fleet

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A job is what a machine is told beside its site.
type job struct {
	Label string
	Args  []string
}

// The files of a machine's work, in this order. The report is that of before.
const (
	jobFile    = "job.json"
	reportFile = "report.json"
	siteDir    = "site"
)

// sendWork writes the work of one machine as a tar archive. A connection that
// ends meanwhile is not its error: the machine's last words say more.
func sendWork(w io.Writer, o *Options, h Host) error {
	z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // a valid level
	t := tar.NewWriter(z)
	add := func(name string, data []byte) {
		_ = t.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(data)), Format: tar.FormatPAX})
		_, _ = t.Write(data)
	}
	order, err := json.Marshal(job{h.Label, o.Args})
	if err != nil {
		return err
	}
	add(jobFile, order)
	if data := o.Previous[h.Label]; data != nil {
		add(reportFile, data)
	}
	for _, name := range o.Files {
		data, err := fs.ReadFile(o.Site, name)
		if err != nil {
			return fmt.Errorf("%s could not be sent: %w", name, err)
		}
		add(path.Join(siteDir, name), data)
	}
	_, _ = t.Close(), z.Close()
	return nil
}

// takeWork unpacks into a folder, and out of it nothing.
func takeWork(r io.Reader, folder string) (j job, err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return j, err
	}
	defer root.Close()
	z, err := gzip.NewReader(r)
	if err != nil {
		return j, err
	}
	z.Multistream(false) // what follows are signs of life
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return j, err
		}
		if h.Name == jobFile {
			err = json.NewDecoder(t).Decode(&j)
		} else {
			err = unpack(root, filepath.FromSlash(h.Name), t)
		}
		if err != nil {
			return j, err
		}
	}
	if _, err := io.Copy(io.Discard, z); err != nil { // to its checksum
		return j, err
	}
	return j, report.CheckName(j.Label)
}

func unpack(root *os.Root, name string, from io.Reader) error {
	if dir := filepath.Dir(name); dir != "." {
		if err := root.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}

// withoutFolder takes the temporary folder out of what a person reads.
func withoutFolder(line, folder, label string) string {
	line = strings.ReplaceAll(line, filepath.Join(folder, reportFile), "results/"+label+".json")
	return strings.ReplaceAll(line, filepath.Join(folder, siteDir)+string(filepath.Separator), "")
}
