package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// inputs are the files of a site, which they put into the folders of sessions. They are safe for concurrent use.
//
// Files up to [site.MaxCopied] are copied, and must have the content that the site was loaded with. A
// larger one is a link to the file of the site. It is hashed when its hash is needed.
type inputs struct {
	root string
	fsys fs.FS
	sums memo.FileSums
}

// newInputs returns the files of the site in a folder.
func newInputs(root string) *inputs { return &inputs{root: root, fsys: os.DirFS(root)} }

// putAll puts what a block needs, and is not there yet, into the folder of its session. It replaces no file
// that an earlier block has made, unless the block is saved in its place.
func (s *inputs) putAll(folder *os.Root, b *site.Block) error {
	for _, f := range b.Saves {
		if err := session.CreateFile(folder, f.Name, []byte(f.Block.Code), 0o644); err != nil {
			return err
		}
	}
	for _, f := range b.Files {
		if _, err := folder.Lstat(f.Name); err == nil {
			return &report.Reason{Code: report.ReasonFiles, Why: report.FileMade, Path: f.Name}
		}
		if err := s.put(folder, f); err != nil {
			return err
		}
	}
	return nil
}

func (s *inputs) put(folder *os.Root, f site.DataFile) error {
	if f.Large() {
		target, err := filepath.Abs(filepath.Join(s.root, filepath.FromSlash(f.Path)))
		if err != nil {
			return err
		}
		if err := folder.MkdirAll(path.Dir(f.Name), 0o700); err != nil {
			return err
		}
		return folder.Symlink(target, f.Name)
	}
	data, err := report.ReadRegular(s.fsys, f.Path, site.MaxCopied)
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != f.SHA256 {
		return &report.Reason{Code: report.ReasonFiles, Why: report.FileChanged, Path: f.Path}
	}
	mode := fs.FileMode(0o444)
	if f.Executable {
		mode = 0o555
	}
	return session.CreateFile(folder, f.Name, data, mode)
}

// large returns the large files in the folder of a block's session, with their hashes.
func (s *inputs) large(ctx context.Context, b *site.Block) (files []report.DataFile, err error) {
	for _, f := range b.DataFiles() {
		if f.Large() {
			sum, size, err := s.sums.Get(ctx, s.fsys, f.Path)
			if err != nil {
				return nil, err
			}
			files = append(files, report.DataFile{Path: f.Name, Bytes: size, SHA256: sum})
		}
	}
	return files, nil
}
