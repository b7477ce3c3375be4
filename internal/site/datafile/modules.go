package datafile

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/site"
)

// maxModule bounds a module whose own imports are followed, in bytes.
const maxModule = 4 << 20

// Module returns the files of the module in a folder that Python code imports by a name, and of those that
// these import: what Python would find if the code lay there. Of a package these are all modules. It
// returns nothing for a module that is elsewhere.
func (r *Reader) Module(folder, name string) ([]site.DataFile, *Problem) {
	top, _, _ := strings.Cut(name, ".")
	if _, is := slices.BinarySearch(r.ask(Query{folder: folder}).names, top); !is {
		return nil, nil
	}
	a := r.ask(Query{folder: folder, module: name})
	return a.files, a.problem
}

// moduleNames returns the names that modules in a folder may have, sorted.
func (c *Cache) moduleNames(folder string) (names []string) {
	here, _ := c.list(folder)
	for name, e := range here {
		if module, is := strings.CutSuffix(name, ".py"); is || e.IsDir() {
			names = append(names, module)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// findModules answers a query for a module.
func (c *Cache) findModules(q Query) answer {
	s := &search{Cache: c, text: q.folder, base: q.folder}
	names := []string{q.module}
	taken := map[string]bool{}
	for i := 0; i < len(names); i++ {
		top, _, _ := strings.Cut(names[i], ".")
		if taken[top] {
			continue
		}
		files := c.moduleFiles(q.folder, names[i])
		taken[top] = len(files) > 0
		for _, name := range files {
			if problem := s.add(name); problem != nil {
				return answer{problem: problem}
			}
			for _, more := range c.importsOf(name, s.infos[len(s.infos)-1]) {
				if next, _, _ := strings.Cut(more, "."); !taken[next] && len(names) < maxVisited && !slices.Contains(names, more) {
					names = append(names, more)
				}
			}
		}
	}
	files, problem := s.hash()
	return answer{files: files, problem: problem}
}

// moduleFiles returns the files of a module or package in a folder, or nil if the folder has no such module.
func (c *Cache) moduleFiles(folder, name string) []string {
	top, rest, _ := strings.Cut(name, ".")
	here, _ := c.list(folder)
	dir, within := path.Join(folder, top), map[string]fs.DirEntry(nil)
	if e := here[top]; e != nil && e.IsDir() {
		within, _ = c.list(dir)
	}
	if within["__init__.py"] != nil {
		return c.modulesBelow(dir)
	}
	if e := here[top+".py"]; e != nil && !e.IsDir() {
		return []string{dir + ".py"}
	}
	// A folder without __init__.py is a package only if no other of its name is installed, so that the
	// name of a module in it must be written too.
	sub, _, _ := strings.Cut(rest, ".")
	if below, _ := c.list(path.Join(dir, sub)); sub == "" || within[sub+".py"] == nil && below["__init__.py"] == nil {
		return nil
	}
	return c.modulesBelow(dir)
}

// modulesBelow returns all Python files in a folder and those below it.
func (c *Cache) modulesBelow(folder string) (files []string) {
	entries, _ := c.list(folder)
	names := make([]string, 0, len(entries))
	for name := range entries {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		full := path.Join(folder, name)
		switch {
		case name[0] == '.' || name == "__pycache__" || len(files) > MaxFiles:
		case entries[name].IsDir():
			files = append(files, c.modulesBelow(full)...)
		case path.Ext(name) == ".py":
			files = append(files, full)
		}
	}
	return files
}

// importsOf returns the names that a module imports.
func (c *Cache) importsOf(name string, info fs.FileInfo) []string {
	return c.imports.get(name, func() (names []string) {
		if info.Size() > maxModule {
			return nil
		}
		data, _ := fs.ReadFile(c.fsys, name) // what cannot be read is reported when it is hashed
		for _, i := range Imports(string(data)) {
			names = append(names, i.Name)
		}
		return names
	})
}

// Standard reports whether Python's standard library has a module of this name.
func Standard(name string) bool {
	top, _, _ := strings.Cut(name, ".")
	return slices.Contains(strings.Fields(standard), top)
}

// standard are the names in sys.stdlib_module_names of Python 3.11 and 3.14.
const standard = ` __future__ abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64
 bdb binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys
 compileall compression concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses
 datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp
 fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq
 hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale
 logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder multiprocessing netrc nis nntplib ntpath nturl2path
 numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib
 posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline
 reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr
 socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct
 subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time
 timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest
 urllib uu uuid venv warnings wave weakref webbrowser wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo `
