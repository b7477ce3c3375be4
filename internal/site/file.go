package site

import (
	"slices"
	"strconv"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// MaxCopied is the size in bytes up to which a file is copied into the folder of a session, and hashed
// when the site is loaded. Sessions get a link to a larger one.
const MaxCopied = 64 << 20

// A DataFile is a file of the site that a session finds in its folder.
type DataFile struct {
	// Name is its slash-separated path in the session's folder, and Path that below the site's.
	Name, Path string
	Size       int64
	// SHA256 is the hash of its content in hexadecimal digits, empty for a large file.
	SHA256     string
	Executable bool
}

// Large reports whether the file is linked instead of copied.
func (f DataFile) Large() bool { return f.Size > MaxCopied }

// A SavedFile is a file that a block with save= writes.
type SavedFile struct {
	// Name is its slash-separated path in the session's folder.
	Name string
	// Block holds the code and its places. It is not a block of the page.
	Block *Block
}

// Place returns where a line of the file, counted from 1, is written.
func (f SavedFile) Place(line int) report.Place {
	return f.Block.CodePlace(f.Block.LineOf(line - 1))
}

// SavedFiles returns the files that blocks with save= have written when the block runs, by name.
func (b *Block) SavedFiles() map[string]SavedFile {
	files := map[string]SavedFile{}
	for _, before := range b.upTo() {
		for _, f := range before.Saves {
			files[f.Name] = f
		}
	}
	return files
}

// DataFiles returns the files of the site that are in the session's folder when the block runs.
func (b *Block) DataFiles() (files []DataFile) {
	for _, before := range b.upTo() {
		files = append(files, before.Files...)
	}
	return files
}

// upTo returns the blocks of the session up to this one.
func (b *Block) upTo() []*Block {
	if b.Session == nil {
		return nil
	}
	return b.Session.Blocks[:slices.Index(b.Session.Blocks, b)+1]
}

// Trait returns the part of the file in the IDs of checks. The content of a large file is not in it.
func (f DataFile) Trait() string {
	if f.Large() {
		return "large file " + f.Name + "\n" + strconv.FormatInt(f.Size, 10)
	}
	return "file " + f.Name + "\n" + f.SHA256
}

// A FilePattern is a pattern in the front matter of a page, with its place there.
type FilePattern struct {
	Pattern    string
	File       *diag.File
	Start, End int
}
