package ssh

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

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
)

// A work is what a machine runs on the site that it receives.
type work struct {
	Label string
	Args  []string
}

// The files of a machine's work, in this order. The report is the previous one.
const (
	workFile   = "job.json"
	reportFile = "report.json"
	siteDir    = "site"
)

// sendWork writes the work of a machine as a tar archive. If the connection ends
// meanwhile it returns no error, as the machine's last messages explain more.
func sendWork(w io.Writer, r *remote.Request, label string) error {
	z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // a valid level
	t := tar.NewWriter(z)
	add := func(name string, data []byte) {
		_ = t.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(data)), Format: tar.FormatPAX})
		_, _ = t.Write(data)
	}
	data, err := json.Marshal(work{label, r.Args})
	if err != nil {
		return err
	}
	add(workFile, data)
	if f := r.Previous[label]; f.Report != nil {
		add(reportFile, f.Data)
	}
	for _, name := range r.Files {
		if err := sendFile(t, r.Site, name); err != nil {
			return fmt.Errorf("%s could not be sent: %w", name, err)
		}
	}
	_, _ = t.Close(), z.Close()
	return nil
}

// sendFile writes a file of the site, which may be larger than the memory. An error of the connection is
// not one of the file.
func sendFile(t *tar.Writer, site fs.FS, name string) error {
	f, err := site.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	mode := int64(0o600)
	if info.Mode()&0o111 != 0 {
		mode = 0o700
	}
	_ = t.WriteHeader(&tar.Header{Name: path.Join(siteDir, name), Mode: mode, Size: info.Size(), Format: tar.FormatPAX})
	n, err := io.Copy(t, io.LimitReader(f, info.Size()))
	if fault, is := errors.AsType[*fs.PathError](err); is && fault.Op == "read" {
		return fault
	}
	if err == nil && n < info.Size() {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// receiveWork unpacks work into a folder, and writes nothing outside of it.
func receiveWork(r io.Reader, folder string) (j work, err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return j, err
	}
	defer root.Close()
	z, err := gzip.NewReader(r)
	if err != nil {
		return j, err
	}
	z.Multistream(false) // heartbeats follow
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return j, err
		}
		if h.Name == workFile {
			err = json.NewDecoder(t).Decode(&j)
		} else {
			err = unpack(root, filepath.FromSlash(h.Name), 0o600|fs.FileMode(h.Mode)&0o100, t)
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

func unpack(root *os.Root, name string, mode fs.FileMode, from io.Reader) error {
	if dir := filepath.Dir(name); dir != "." {
		if err := root.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}
