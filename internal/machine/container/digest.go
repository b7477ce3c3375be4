package container

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
)

// cache returns a folder for downloaded images and digests, in the user's cache folder.
func cache() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "gpudocs", "images")
	return dir, os.MkdirAll(dir, 0o700)
}

// nameOf returns a name for a file of the cache.
func nameOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// download returns the path at which Apptainer and Enroot keep an image of a registry.
func (r reference) download(runtime string) (string, error) {
	dir, err := cache()
	ext := ".sif"
	if runtime == Enroot {
		ext = ".sqsh"
	}
	return filepath.Join(dir, nameOf(r.place)+ext), err
}

// fileDigest returns "sha256:..." of a file. As images have many gigabytes, it remembers the
// digest as long as the file looks the same.
func fileDigest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a file", filepath.Base(path))
	}
	looks := fmt.Sprintf("%d %d ", info.Size(), info.ModTime().UnixNano())
	dir, err := cache()
	memo := filepath.Join(dir, nameOf(path)+".digest")
	if err == nil {
		data, _ := os.ReadFile(memo)
		if digest, ok := strings.CutPrefix(string(data), looks); ok && isDigest(digest) {
			return digest, nil
		}
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", err
	}
	digest := "sha256:" + hex.EncodeToString(hash.Sum(nil))
	if err == nil { // without a cache it is computed again
		_ = atomicfile.Write(memo, []byte(looks+digest), 0o600)
	}
	return digest, nil
}
