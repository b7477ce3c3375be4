package content

import (
	"cmp"
	"errors"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/measure"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/require"
)

// The attributes of a fence.
//
//	run      run this block; bash, python or pycon; run=sbatch submits a job script
//	name     its name, once on a page: letters, digits, - and _
//	session  blocks of a page with the same one share a process, in order
//	env      an environment of gpudocs.toml
//	timeout  30s, 2m: the block and what it started are killed after it
//	needs    what the machine must have, else the block is skipped: "gpus >= 1"
//	network  in a sandbox: this session has the machine's network
//	expect   this block is the expected output of the runnable block before it
//	when     on expect: the machines that it is for: "cuda >= 12.4"
//	stream   on expect: stdout, or stderr
//	rtol     on expect: how far numbers may be off, relative to what is expected
//	atol     on expect: how far numbers may be off
//	number   on expect: numbers count to the precision they are written with
//	exit     on expect, bash and python: the exit code to expect
//	differs  translations of the page may have other code here
//	tab      title in a group of tabs, made of neighbouring fences with tab
//	title    shown above the code
//	hl_lines lines to mark: "2 4-6"
//	numbers  lines are numbered, from 1 or from its value; MkDocs' linenums is the same
//	hide     lines that a reader opens to see
//	annotate comments such as # (1) stand for the items of the list behind the block
//	diff     lines with + and - before them are added and removed
//	file     the code is that of a file of the site
//	region   of that file what stands between # region NAME and # endregion
//	lines    of that file or region these lines: "1-20,30"
var attributeNames = []string{
	"run", "name", "session", "env", "timeout", "needs", "network", "expect", "when", "stream", "rtol", "atol", "number", "exit",
	"differs", "tab", "title", "hl_lines", "numbers", "linenums", "hide", "annotate", "diff", "file", "region", "lines",
}

// kinds are the languages that can run.
var kinds = map[string]Kind{
	"bash": Bash, "sh": Bash, "shell": Bash,
	"python": Python, "py": Python, "python3": Python,
	"pycon": Pycon,
	"gpu":   GPU,
}

var blockName = form{lazyregexp.New(`^[\p{L}\p{N}][\p{L}\p{N}_-]*$`), 64}

var nameHint = diag.Say("use letters, digits, - and _, a letter or digit first")

// blockReader turns the fences of one page, in order, into nodes and blocks.
type blockReader struct {
	config   *Config
	file     *diag.File
	page     *Page
	defaults Defaults
	library  *library
	diags    diag.List

	sessions []*Session
	names    map[string]int // name: offset of its block
	// at are the blocks by the offset of their fence: of code for several tabs each
	// has one.
	at map[int][]*Block
}

// fenceAttributes are the attributes of one fence by name, with the offset of
// the info string for diagnostics.
type fenceAttributes struct {
	r    *blockReader
	base int
	end  int
	by   map[string]attribute
}

func (r *blockReader) fence(n *ast.FencedCodeBlock) *Fence {
	f := &Fence{Code: blockText(n, r.file.Data)}
	f.SetPos(n.Pos())
	f.SetBlankPreviousLines(n.HasBlankPreviousLines())
	if n.Info == nil {
		return f
	}
	segment := n.Info.Segment
	in := parseInfo(string(segment.Value(r.file.Data)))
	for _, e := range in.errs {
		r.diags.Add(r.file.Error(segment.Start+e.start, segment.Start+e.end, e.message, e.hint))
	}
	a := fenceAttributes{r: r, base: segment.Start, end: segment.Stop, by: map[string]attribute{}}
	input := takeNotedown(&in)
	a.collect(in.attributes)
	f.Language = in.language
	if input && r.defaults.Run {
		r.runInput(n, in.language, a)
	}
	r.include(n, f, a)
	r.look(f, a)
	kind := kinds[strings.ToLower(in.language)]
	switch {
	case a.has("expect"):
		r.expect(n, f, a)
	case kind == GPU:
		r.gpu(n, f, a)
	case a.has("run"):
		r.runnable(n, f, a, kind)
	case strings.EqualFold(in.language, "mermaid"):
		a.only(diag.Say("a diagram"), "tab", "title")
		r.diagram(n, f)
	default:
		a.only(diag.Text{}, shownNames...)
	}
	return f
}

func (r *blockReader) diagram(n *ast.FencedCodeBlock, f *Fence) {
	f.Diagram = &Diagram{Source: f.Code, lines: n.Lines().Sliced(0, n.Lines().Len()), word: n.Info.Segment}
	r.page.Diagrams = append(r.page.Diagrams, f.Diagram)
}

// blockText is the text of a code block with \n line ends.
func blockText(n ast.Node, source []byte) string {
	var b strings.Builder
	size := 0
	for _, s := range n.Lines().Sliced(0, n.Lines().Len()) {
		size += s.Len()
	}
	b.Grow(size)
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b.Write(s.Value(source))
	}
	return strings.ReplaceAll(b.String(), "\r\n", "\n")
}

func (r *blockReader) block(n *ast.FencedCodeBlock, f *Fence, a fenceAttributes, kind Kind) *Block {
	line := r.file.Line(n.Pos())
	of, _ := r.file.Origin(line)
	b := &Block{Page: r.page, Kind: kind, Code: f.Code, Opening: r.file.Text(line), File: of.Name, CodeFile: of.Name, pos: n.Pos()}
	b.Cell, b.Line = r.file.Cell(line)
	b.CodeLine = b.Line + 1
	if n.Lines().Len() > 0 && r.file.Line(n.Lines().At(0).Start) > line+1 {
		b.CodeLine++ // behind a line that names its tab
	}
	if f.origin != nil && len(f.origin.lines) > 0 {
		b.origin, b.CodeFile, b.CodeLine = f.origin, f.origin.file.Name, f.origin.lines[0]
	}
	if b.Line == 0 { // the code of a cell has no fence before it
		b.Line, b.Opening = 1, r.file.Text(line+1)
	}
	b.Name = "#" + strconv.Itoa(len(r.page.Blocks)+1)
	if name, ok := a.by["name"]; ok {
		r.checkName(a, name, n.Pos())
		b.Name = name.value
	}
	if differs, ok := a.by["differs"]; ok {
		b.Differs = true
		if differs.hasValue {
			a.fault(differs, diag.Say("differs takes no value"), diag.Say("write {run differs}"))
		}
	}
	r.gap(a, b)
	r.page.Blocks = append(r.page.Blocks, b)
	if r.at == nil {
		r.at = map[int][]*Block{}
	}
	r.at[b.pos] = append(r.at[b.pos], b)
	f.Block = b
	return b
}

func (r *blockReader) checkName(a fenceAttributes, name attribute, pos int) {
	if !blockName.MatchString(name.value) {
		a.fault(name, diag.Say("%q cannot name a block", name.value), nameHint)
	}
	if r.names == nil {
		r.names = map[string]int{}
	}
	if before, ok := r.names[name.value]; ok {
		a.fault(name, diag.Say("the name %q is taken by the block in %s", name.value, r.file.Where(before, pos)), diag.Say("a name stands once on a page"))
		return
	}
	r.names[name.value] = pos
}

func (r *blockReader) runnable(n *ast.FencedCodeBlock, f *Fence, a fenceAttributes, kind Kind) {
	run := a.by["run"]
	if kind == "" {
		a.fault(run, diag.Say("run cannot run %q", f.Language), diag.Say("it runs bash, python and pycon"))
		return
	}
	if run.hasValue && r.jobScript(n, f, a, kind) {
		return
	}
	if diff, ok := a.by["diff"]; ok {
		a.fault(diff, diag.Say("a diff cannot run"), diag.Say("write the code as it is to be, or leave run out"))
		delete(a.by, "diff")
	}
	a.only(diag.Say("on a runnable block"), slices.Concat([]string{"run", "name", "session", "env", "timeout", "needs", "network", "exit", "differs", "file", "region", "lines"}, lookNames)...)
	b := r.block(n, f, a, kind)
	r.limits(b, a)
	if kind == Pycon {
		r.checkSession(f, b)
	}
	if kind == Pycon && !strings.HasPrefix(strings.TrimLeft(b.Code, " \n"), ">>>") {
		a.fault(run, diag.Say("a pycon block begins with the prompt >>>"), diag.Say("write python for code without prompts"))
	}
	r.join(b, a)
}

// folder is where the paths of files begin, as a path below the site's folder:
// beside the page, or the file that it includes there.
func (r *blockReader) folder(pos int) string {
	return path.Join(root, r.page.folderAt(pos))
}

// line is that of an offset, in its file or in its cell.
func (r *blockReader) line(offset int) int {
	_, line := r.file.Cell(r.file.Line(offset))
	return line
}

// limits reads what a block needs, and for how long it may run.
func (r *blockReader) limits(b *Block, a fenceAttributes) {
	b.Timeout, b.Needs = r.defaults.Timeout, r.defaults.Needs
	if t, ok := a.by["timeout"]; ok {
		d, err := parseTimeout(t.value)
		if err != nil {
			a.fault(t, diag.Say("%s", err), timeoutHint)
		}
		b.Timeout = d
	}
	if needs, ok := a.by["needs"]; ok {
		b.Needs = a.expression(needs)
	}
	b.Exit = r.blockExit(a, b.Kind)
}

// join puts the block into its session.
func (r *blockReader) join(b *Block, a fenceAttributes) {
	interpreter, name, env := "python", r.defaults.Session, r.defaults.Env
	if b.Kind == Bash {
		interpreter = "bash"
	}
	if s, ok := a.by["session"]; ok {
		if s.value != "" && !blockName.MatchString(s.value) {
			a.fault(s, diag.Say("%q cannot name a session", s.value), nameHint)
		}
		name = s.value
	}
	given, hasEnv := a.by["env"]
	if hasEnv {
		env = r.environment(a)
	}
	network := r.network(a)
	for _, s := range r.sessions {
		if name == "" || s.Name != name || s.Interpreter != interpreter {
			continue
		}
		if s.Env != env && hasEnv {
			a.fault(given, diag.Say("session %q runs in environment %q since %s", name, s.Env, r.file.Where(s.Blocks[0].pos, b.pos)),
				diag.Say("a session is one process: give the other block another session"))
		}
		if network && !s.Network {
			a.fault(a.by["network"], diag.Say("session %q has no network since %s", name, r.file.Where(s.Blocks[0].pos, b.pos)),
				diag.Say("a session is one process: say network on its first block"))
		}
		b.Session = s
		s.Blocks = append(s.Blocks, b)
		return
	}
	b.Session = &Session{Name: name, Interpreter: interpreter, Env: env, Network: network, Blocks: []*Block{b}}
	r.sessions = append(r.sessions, b.Session)
}

// environment reads the attribute env.
func (r *blockReader) environment(a fenceAttributes) string {
	given := a.by["env"]
	env := given.value
	if env == "" || r.config.hasEnv(env) {
		return env
	}
	known := slices.Sorted(maps.Keys(r.config.Env))
	a.fault(given, diag.Say("there is no environment %q", env),
		diag.Suggest(env, known, diag.Say("add [env.%s] with python or conda to gpudocs.toml", env)))
	return env
}

// network reads the attribute that gives a session the network.
func (r *blockReader) network(a fenceAttributes) bool {
	at, has := a.by["network"]
	if at.hasValue {
		a.fault(at, diag.Say("network takes no value"), diag.Say("write {run network}"))
	}
	return has
}

func (r *blockReader) gpu(n *ast.FencedCodeBlock, f *Fence, a fenceAttributes) {
	a.only(diag.Say("on a gpu block"), "name", "tab", "title", "run", "env", "differs")
	b := r.block(n, f, a, GPU)
	b.Env = r.environment(a)
	empty := true
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		line := strings.TrimRight(string(segment.Value(r.file.Data)), "\r\n")
		code, _, _ := strings.Cut(line, "#")
		if strings.TrimSpace(code) == "" {
			continue
		}
		empty = false
		l, err := gpuLine(code)
		if err != nil {
			r.diags.Add(r.expressionFault(segment.Start, err))
			continue
		}
		l.ID, l.Name, l.Line = report.GPULine(l.Want()), b.Name+"."+l.Name, r.line(segment.Start)
		if b.Env != "" && (l.Fact == require.Runs || l.Need.OfEnvironment()) {
			l.ID = report.GPULine(l.Want() + " in " + b.Env)
		}
		b.GPULines = append(b.GPULines, l)
	}
	if empty {
		r.diags.Add(r.file.Error(n.Pos(), a.end, diag.Say("the gpu block holds no requirement"), diag.Say("write a line such as gpus >= 1")))
	}
}

// gpuLine reads a line of a gpu block.
func gpuLine(code string) (GPULine, error) {
	if measure.Is(code) {
		spec, err := measure.Parse(code)
		return GPULine{Name: spec.Name, Measure: &spec}, err
	}
	e, err := require.ParseComparison(code)
	return GPULine{Name: cmp.Or(e.Software(), string(e.Fact())), Fact: e.Fact(), Need: e}, err
}

// finish gives the runnable blocks their IDs: an expectation follows its block,
// so they are known only now.
func (r *blockReader) finish() {
	for _, s := range r.sessions {
		chain := report.NewChain(s.Interpreter, s.Env)
		if e, is := r.config.Env[s.Env]; is { // another place is another environment
			chain.With("python " + e.Python)
			chain.With("conda " + e.Conda)
		}
		if s.Network {
			chain.With("network")
		}
		for _, b := range s.Blocks {
			b.ID = chain.Next(string(b.Kind), b.Code, b.Needs.String(), b.expectations()...)
		}
	}
}

func (r *blockReader) expressionFault(base int, err error) diag.Diagnostic {
	var e *require.Error
	if errors.As(err, &e) {
		return r.file.Error(base+e.Offset, base+e.Offset+e.Width, e.Message, e.Hint)
	}
	return r.file.Error(base, base+1, diag.Say("%s", err), diag.Text{})
}

// collect files the attributes by name and reports unknown and repeated ones.
// Classes and ids are for other tools and pass.
func (a *fenceAttributes) collect(list []attribute) {
	for _, at := range list {
		switch _, twice := a.by[at.name]; {
		case at.name == "." && at.value == "annotate": // Material's way to ask for them
			a.by["annotate"] = at
		case at.name == "." || at.name == "#":
		case !slices.Contains(attributeNames, at.name):
			a.fault(at, diag.Say("unknown attribute %q", at.name),
				diag.Suggest(at.name, attributeNames, diag.Say("known are %s", strings.Join(attributeNames, ", "))))
		case at.name == "linenums":
			a.by["numbers"] = at
		case twice:
			a.fault(at, diag.Say("attribute %q stands twice", at.name), diag.Say("keep one of them"))
		default:
			a.by[at.name] = at
		}
	}
}

func (a *fenceAttributes) has(name string) bool {
	_, ok := a.by[name]
	return ok
}

// only reports attributes that have no meaning here; where is empty for a
// block that is only shown.
func (a *fenceAttributes) only(where diag.Text, names ...string) {
	hint := diag.Say("allowed here: %s", strings.Join(names, ", "))
	if where.IsZero() {
		where, hint = diag.Say("on a block that is only shown"), diag.Say("add run to run the block")
	}
	for _, name := range attributeNames {
		if at, ok := a.by[name]; ok && !slices.Contains(names, name) {
			a.fault(at, diag.Say("%q has no meaning %s", name, where), hint)
		}
	}
}

func (a *fenceAttributes) fault(at attribute, message, hint diag.Text) {
	a.r.diags.Add(a.r.file.Error(a.base+at.start, a.base+at.end, message, hint))
}

func (a *fenceAttributes) expression(at attribute) require.Expr {
	e, err := require.Parse(at.value)
	if err != nil {
		a.r.diags.Add(a.r.expressionFault(a.base+at.valueStart, err))
	}
	return e
}
