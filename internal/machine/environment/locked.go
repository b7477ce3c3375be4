package environment

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/report"
)

// Tools that make an environment from a file.
const (
	UV    = "uv"
	Pixi  = "pixi"
	Conda = "conda" // or mamba, or micromamba
)

// maxLock limits each file from which an environment is made, in bytes.
const maxLock = 64 << 20

// A locked is an environment that is made from files of the site. It is in a folder of the
// user's cache whose name is a hash of these files, so that a changed lock is another
// environment, and sites with the same lock share one.
type locked struct {
	Spec
	// root is the site's folder, and file the path of Spec.File.
	root, file string
	// sum is the SHA-256 of the lock and of the files that it includes.
	sum string
	// dir is its folder: the lock of those that make it, the environment, and the stamp,
	// which is written last.
	dir string
}

// byPath finds dependencies in files and folders of the site, so that the environment belongs to this
// copy of it: in uv.lock, in requirement files, and in the list of pip in environment.yml.
var byPath = regexp.MustCompile(`(?m)source = \{ (?:editable|directory) = |` +
	`^[ \t]*(?:- +)?["']?(?:(?:-e|--editable|-f|--find-links)\b|\.|/|file:|[^#\n]*@ *(?:\.|/|file:))`)

// include finds the requirement files that a requirement file or environment.yml includes.
var include = regexp.MustCompile(`(?m)^[ \t]*(?:- +)?["']?(?:-r|-c|--requirement|--constraint)[ \t=]*([^\s"'#]+)`)

// maxIncludes limits the files that a lock includes, and maxInclude what is read of each, in bytes.
const maxIncludes, maxInclude = 100, 1 << 20

// locate reads the files from which an environment is made.
func (s Spec) locate(root string) (l locked, err error) {
	if root, err = filepath.Abs(root); err != nil {
		return l, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return l, fmt.Errorf("there is no cache folder: %w", err)
	}
	l = locked{Spec: s, root: root, file: filepath.Join(root, filepath.FromSlash(s.File))}
	folder, err := os.OpenRoot(root)
	if err != nil {
		return l, err
	}
	defer folder.Close()
	manifest, err := readFile(folder, s.File)
	if err != nil {
		return l, err
	}
	lock := manifest
	if s.Lock != s.File {
		if lock, err = readFile(folder, s.Lock); err != nil {
			return l, err
		}
	}
	of, place, all := sha256.New(), "", [][]byte{lock}
	if l.Lock == l.File {
		all = append(all, included(filepath.Dir(l.file), lock, map[string]bool{l.file: true})...)
	}
	for _, text := range all {
		of.Write(text)
		if byPath.Match(text) {
			place = root
		}
	}
	sum := of.Sum(nil)
	key := memo.KeyOf("environment", s.Tool, path.Base(s.File), runtime.GOOS, runtime.GOARCH, string(manifest), string(sum), place)
	l.sum = hex.EncodeToString(sum)
	l.dir = filepath.Join(cache, "gpudocs", "environments", hex.EncodeToString(key[:]))
	return l, nil
}

// included returns the texts of the files that a requirement file in a folder includes, and those that they
// include. seen are the paths that are known. Of a file that cannot be read there is nothing: the tool says so.
func included(dir string, text []byte, seen map[string]bool) (texts [][]byte) {
	for _, m := range include.FindAllSubmatch(text, -1) {
		name := filepath.FromSlash(string(m[1]))
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		if seen[name] || len(seen) > maxIncludes {
			continue
		}
		seen[name] = true
		if more, err := report.ReadRegular(os.DirFS(filepath.Dir(name)), filepath.Base(name), maxInclude); err == nil {
			texts = append(append(texts, more), included(filepath.Dir(name), more, seen)...)
		}
	}
	return texts
}

// readFile reads a file of the site, and follows no link out of it.
func readFile(root *os.Root, name string) ([]byte, error) {
	data, err := report.ReadRegular(root.FS(), name, maxLock)
	if errors.Is(err, os.ErrNotExist) {
		return nil, &report.Reason{Code: report.ReasonEnvironment, Why: report.EnvNoFile, Path: name}
	}
	if err == nil && len(data) > maxLock {
		err = fmt.Errorf("%s is larger than %d MiB", name, maxLock>>20)
	}
	return data, err
}

// prefix returns the folder of the environment itself.
func (l locked) prefix() string {
	if l.Tool == Pixi { // which has environments in the folder of its project only
		return filepath.Join(l.dir, "env", ".pixi", "envs", "default")
	}
	return filepath.Join(l.dir, "env")
}

func (l locked) stamp() string { return filepath.Join(l.dir, "made") }

// isComplete reports whether the environment is complete. It is not if it has lost its Python, such as one
// that an update of the system has removed.
func (l locked) isComplete() bool {
	info, err := os.Stat(l.stamp())
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if l.Tool == UV {
		return pyenv.Resolve("", l.python(), l.root).Path != ""
	}
	info, err = os.Stat(l.prefix()) // which need not have a Python
	return err == nil && info.IsDir()
}

// python returns where to find the environment.
func (l locked) python() pyenv.Spec {
	if l.Tool == UV {
		return pyenv.Spec{Venv: l.prefix()}
	}
	return pyenv.Spec{Conda: l.prefix()}
}
