package textout

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/site"
)

// wheels are the packages of frameworks that have another name.
var wheels = map[string]string{"cupy": "cupy-cuda12x", "paddle": "paddlepaddle"}

// A setup is what the first cell installs and does, and what it says that it does not install.
type setup struct {
	packages    map[string]string // requirements of pip by name
	words, code []string
}

// packageName matches the name at the beginning of a requirement.
var packageName = lazyregexp.New(`^[A-Za-z0-9._-]*`)

func (s *setup) install(requirement string) {
	name := strings.ToLower(packageName.FindString(requirement))
	s.packages[name] = max(s.packages[name], strings.ReplaceAll(requirement, `"`, "'")) // the one with a version
}

func (s *setup) say(words string) {
	if words != "" && !slices.ContainsFunc(s.words, func(known string) bool { return strings.HasPrefix(known, words) }) {
		s.words = append(s.words, words)
	}
}

// needs adds what a block needs.
func (s *setup) needs(w *writer, b *site.Block) {
	for _, e := range b.Needs.Comparisons() {
		if strings.Contains(b.Needs.String(), "not "+e.String()) {
			continue
		}
		if name, version := e.Package(); name != "" {
			s.install(cmp.Or(wheels[name], name) + version)
		} else if words, without := e.Words(w.Text); !without {
			s.say(words)
		}
	}
	if b.Kind == site.Sbatch {
		s.say("Slurm")
	}
	config := w.Nav.Content.Config
	name := b.Env
	if b.Session != nil {
		name = b.Session.Env
	}
	env, known := config.Env[name]
	if !known && (b.Kind == site.Python || b.Kind == site.Pycon) {
		env.Packages = config.Packages
	}
	rest := append(slices.Clone(env.Modules), env.Container, env.Setup)
	if tool, file, _ := env.Locked(); tool == "uv" {
		env.Packages = slices.Concat(requirements(w.Nav.Content.FS, file), env.Packages)
	} else {
		rest = append(rest, cmp.Or(file, env.Conda))
	}
	for _, p := range env.Packages {
		s.install(p)
	}
	if rest = slices.DeleteFunc(rest, func(what string) bool { return what == "" }); len(rest) > 0 {
		s.say(w.Text.Get("nb_environment", "name", name, "what", strings.Join(rest, ", ")))
	}
	for _, variable := range slices.Sorted(maps.Keys(env.Vars)) {
		s.run("%env " + variable + "=" + env.Vars[variable])
	}
}

func (s *setup) run(line string) {
	if !slices.Contains(s.code, line) {
		s.code = append(s.code, line)
	}
}

// setup adds the first cell, if there is anything to install or to say.
func (w *writer) setup() {
	n, s := w.notebook, &setup{packages: map[string]string{}}
	for _, b := range w.Page.Blocks {
		s.needs(w, b)
		if n.kernel != python || !n.kernel.runs(b) {
			continue
		}
		for _, f := range b.Saves {
			n.saves[f.Block.Pos] = f
			s.folder(f.Name)
		}
		for _, f := range b.Files {
			s.fetch(w.fileAddress(f.Path), f.Name)
		}
		if b.Session.Name != "" && len(b.Session.Blocks) > 1 && b.Session.Interpreter == "bash" {
			n.stateful[b.Session] = true
			s.run(carry)
		}
	}
	packages := slices.Sorted(maps.Values(s.packages))
	for i, name := range packages {
		if strings.ContainsAny(name, "<>=!;[] ~") {
			packages[i] = `"` + name + `"`
		}
	}
	var text []string
	if len(packages) > 0 && n.kernel == python {
		text = append(text, "# "+w.Text.Get("nb_installs"), "%pip install -q "+strings.Join(packages, " "))
	} else if len(packages) > 0 {
		s.say(strings.Join(packages, ", "))
	}
	if len(s.words) > 0 {
		text = append(text, "# "+w.Text.Get("nb_not_installed"))
	}
	for _, words := range s.words {
		text = append(text, "# - "+strings.Join(strings.Fields(words), " "))
	}
	if n.kernel == python {
		text = append(text, s.code...)
	}
	if len(text) > 0 {
		n.add("code", "setup", strings.Join(text, "\n"), map[string]any{})
	}
}

// fetch gets a file of the site, or says that it is not published.
func (s *setup) fetch(address, name string) {
	if address == "" {
		s.say(name)
		return
	}
	s.folder(name)
	s.run("import urllib.request")
	s.run("urllib.request.urlretrieve(" + strconv.Quote(address) + ", " + strconv.Quote(name) + ")")
}

// folder makes the folder of a file.
func (s *setup) folder(name string) {
	if dir := path.Dir(name); dir != "." {
		s.run("import os")
		s.run("os.makedirs(" + strconv.Quote(dir) + ", exist_ok=True)")
	}
}

// fileAddress returns the address of a file of the site that sessions get, or "" if it is not published.
func (in Input) fileAddress(file string) string {
	asset, ok := strings.CutPrefix(file, "content/")
	if !ok || !in.Nav.AbsoluteLinks() || !slices.Contains(in.Nav.Content.Assets, asset) {
		return ""
	}
	return in.Nav.Absolute(asset)
}

// requirements returns what a file requires of pip: the lines of a requirements.txt, or the dependencies of a pyproject.toml. A
// file that cannot be read has none; doctor reports it.
func requirements(fsys fs.FS, name string) (list []string) {
	data, _ := fs.ReadFile(fsys, name)
	if path.Ext(name) == ".toml" {
		var file struct {
			Project struct{ Dependencies []string }
		}
		_ = toml.Unmarshal(data, &file)
		return file.Project.Dependencies
	}
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "#")
		line, _, _ = strings.Cut(line, " --")
		if line = strings.TrimRight(line, " \t\r\n\\"); line != "" && line[0] != '-' && line[0] != ' ' {
			list = append(list, line)
		}
	}
	return list
}

// carry makes the cells of a bash session one session: each is a bash of its own, which reads the file that BASH_ENV
// names. It takes over folder, variables and functions of the one before.
const carry = `import os, tempfile
_state = tempfile.mkdtemp()
with open(_state + "/begin", "w") as _file:
    _file.write('''unset BASH_ENV
if [ -n "$1" ]; then
  _state="STATE/$1"
  . "$_state" 2>/dev/null || true
  trap '_code=$?; { declare -p; declare -f; printf "cd %q\\n" "$PWD"; } >"$_state"; exit $_code' EXIT
fi
'''.replace("STATE", _state))
os.environ["BASH_ENV"] = _state + "/begin"`
