package blocks

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/attribute"
	"github.com/gpudocs/gpudocs/internal/site/include"
	"github.com/gpudocs/gpudocs/internal/site/recipe"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// attributeNames are the attributes of a fence:
//
//	run      run this block; bash, python, pycon or a recipe's language; run=sbatch submits a job script
//	name     its name, unique on the page: letters, digits, - and _
//	session  blocks of a page with the same session share a process, in order
//	env      an environment of gpudocs.toml
//	kernel   the Jupyter kernel that runs this block
//	timeout  time limit of the block and of what it starts: 30s, 2m
//	retries  how often the block is tried again if it does not pass
//	matrix   one check for each combination of values: "n=1024,4096 dtype=fp32,bf16"
//	needs    requirements, else the block is skipped: "gpus >= 1"
//	flags    of the compiler, in place of the recipe's: "-O2 -arch=native"
//	build    build=fails: the block must not compile
//	network  in a sandbox: this session has the machine's network
//	expect   this block is the expected output of the runnable block before it
//	when     on expect: the machines that it is for: "cuda >= 12.4"
//	stream   on expect: stdout, or stderr
//	rtol     on expect: tolerance of numbers, relative to the expected ones
//	atol     on expect: absolute tolerance of numbers
//	number   on expect: numbers are compared to the precision in which they are written
//	exit     on expect, bash and python: the expected exit code
//	differs  translations of the page may have other code here
//	tab      title in a group of tabs, which neighbouring fences with tab form
//	title    shown above the code
//	hl_lines lines to mark: "2 4-6"
//	numbers  number the lines, from 1 or from its value; MkDocs' linenums is the same
//	hide     lines that are collapsed
//	annotate comments such as # (1) refer to the items of the list after the block
//	diff     lines that begin with + and - are added and removed
//	file     the code is that of a file of the site
//	region   only the part of the file between # region NAME and # endregion
//	lines    only these lines of the file or region: "1-20,30"
//	files    files of the site that the session finds in its folder: "data/*.csv util.py"
//	save     the code is written to a file of the session, and does not run
var attributeNames = []string{
	"run", "name", "session", "env", "kernel", "timeout", "retries", "matrix", "needs", "flags", "build", "network", "expect", "when",
	"stream", "rtol", "atol", "number", "exit",
	"differs", "tab", "title", "hl_lines", "numbers", "linenums", "hide", "annotate", "diff", "file", "region", "lines", "files", "save",
}

// kindByLanguage maps the languages that can run to kinds.
var kindByLanguage = map[string]site.Kind{
	"bash": site.Bash, "sh": site.Bash, "shell": site.Bash,
	"python": site.Python, "py": site.Python, "python3": site.Python,
	"pycon": site.Pycon,
	"gpu":   site.GPU,
}

// A Reader turns the fences of one page, in order, into nodes and blocks.
type Reader struct {
	Config   *site.Config
	File     *diag.File
	Page     *site.Page
	Defaults site.Defaults
	Library  *include.Library
	Diags    diag.List

	sessions []*site.Session
	names    map[string]int // name: offset of its block
	expected expectations
	// flags are those of blocks with flags=.
	flags map[*site.Block]*string
	// blocksAt are the blocks by the offset of their fence. Code for several tabs has a block for
	// each of them.
	blocksAt map[int][]*site.Block
	// needed are the files that blocks need, and saves the blocks that are saved as files.
	needed map[*site.Block][]neededFile
	saves  []*save
	// matrices are those of blocks with matrix=, combinations the number of all their combinations.
	matrices     []matrix
	combinations int
	// given is how often files are needed, and patterns the number of patterns.
	given, patterns int
}

// fenceAttributes are the attributes of one fence by name, with the offset of
// the info string for diagnostics.
type fenceAttributes struct {
	r    *Reader
	base int
	end  int
	by   map[string]attribute.Attribute
}

// Read reads the attributes of a fence and returns the node that replaces it.
func (r *Reader) Read(n *ast.FencedCodeBlock) *Fence {
	f := &Fence{Fence: &site.Fence{Code: CodeText(n, r.File.Data)}}
	f.SetPos(n.Pos())
	f.SetBlankPreviousLines(n.HasBlankPreviousLines())
	var in attribute.Info
	var runs bool
	a := fenceAttributes{r: r, by: map[string]attribute.Attribute{}}
	if c := markdown.CodeInfoOf(n); c != nil {
		in, runs = infoOf(c), c.Cell
		a.end = n.Pos()
	} else if n.Info == nil {
		return f
	} else {
		segment := n.Info.Segment
		in = attribute.ParseInfo(string(segment.Value(r.File.Data)))
		for _, e := range in.Faults {
			r.Diags.Add(r.File.Error(segment.Start+e.Start, segment.Start+e.End, e.Message))
		}
		a.base, a.end = segment.Start, segment.Stop
		runs = stripNotedown(&in) && r.Defaults.Run
		r.misplaced(&in, segment.Start)
	}
	a.collect(in.Attributes)
	f.Language = in.Language
	if runs {
		r.makeInputRunnable(n, in.Language, a)
	}
	r.includeFile(n, f, a)
	r.readDisplay(f, a)
	kind := kindByLanguage[strings.ToLower(in.Language)]
	var by *recipe.Recipe
	if kind == "" && a.has("run") {
		by = recipe.For(r.Config.Recipes, in.Language)
	}
	switch {
	case a.has("save"):
		r.readSave(n, f, a)
	case a.has("expect"):
		r.readExpect(n, f, a)
	case kind == site.GPU:
		r.readGPU(n, f, a)
	case a.has("run"):
		r.readRunnable(n, f, a, kind, by)
	case strings.EqualFold(in.Language, "mermaid"):
		a.allowOnly(diag.Say("blocks.where-diagram"), "tab", "title")
		f.Diagram = &site.Diagram{Source: f.Code, Lines: n.Lines().Sliced(0, n.Lines().Len()), Word: text.NewSegment(n.Pos(), n.Pos())}
		if n.Info != nil { // without it, the front matter names the language
			f.Diagram.Word = n.Info.Segment
		}
		r.Page.Diagrams = append(r.Page.Diagrams, f.Diagram)
	default:
		a.allowOnly(diag.Text{}, shownAttributes...)
	}
	return f
}

// CodeText returns the text of a code block with Unix line ends.
func CodeText(n ast.Node, source []byte) string {
	return strings.ReplaceAll(string(n.Lines().Value(source)), "\r\n", "\n")
}

func (r *Reader) addBlock(n *ast.FencedCodeBlock, f *Fence, a fenceAttributes, kind site.Kind) *site.Block {
	b := r.newBlock(n, f)
	b.Kind, b.Name = kind, "#"+strconv.Itoa(len(r.Page.Blocks)+1)
	if name, ok := a.by["name"]; ok {
		if r.checkName(a, name, n.Pos()) {
			b.Name = name.Value
		}
	}
	b.Differs = a.flag("differs", diag.Say("blocks.differs-value"))
	r.checkGaps(a, b)
	r.Page.Blocks = append(r.Page.Blocks, b)
	if r.blocksAt == nil {
		r.blocksAt = map[int][]*site.Block{}
	}
	r.blocksAt[b.Pos] = append(r.blocksAt[b.Pos], b)
	f.Block = b
	return b
}

// newBlock returns the code of a fence with its places.
func (r *Reader) newBlock(n *ast.FencedCodeBlock, f *Fence) *site.Block {
	line := r.File.Line(n.Pos())
	of, _ := r.File.Origin(line)
	b := &site.Block{Page: r.Page, Code: f.Code, Opening: r.File.Text(line), File: of.Name, CodeFile: of.Name, Pos: n.Pos()}
	b.Cell, b.Line = r.File.Cell(line)
	b.CodeLine = b.Line + 1
	if n.Lines().Len() > 0 { // options, or the name of a tab, may stand before it
		b.CodeLine = b.Line + max(1, r.File.Line(n.Lines().At(0).Start)-line)
	}
	if f.Origin != nil && len(f.Origin.Lines) > 0 {
		b.Origin, b.CodeFile, b.CodeLine = f.Origin, f.Origin.File.Name, f.Origin.Lines[0]
	}
	if b.Line == 0 { // the code of a cell has no fence before it
		b.Line, b.Opening = 1, r.File.Text(line+1)
	}
	return b
}

// checkName reports whether a block may have a name.
func (r *Reader) checkName(a fenceAttributes, name attribute.Attribute, pos int) bool {
	if !site.BlockName.MatchString(name.Value) {
		a.fault(name, diag.Say("blocks.block-name-invalid", "value", name.Value).WithHint(site.NameHint))
		return false
	}
	if r.names == nil {
		r.names = map[string]int{}
	}
	if before, ok := r.names[name.Value]; ok {
		a.fault(name, diag.Say("blocks.block-name-taken", "value", name.Value, "where", r.File.Where(before, pos)))
		return false
	}
	r.names[name.Value] = pos
	return true
}

func (r *Reader) readRunnable(n *ast.FencedCodeBlock, f *Fence, a fenceAttributes, kind site.Kind, by *recipe.Recipe) {
	run := a.by["run"]
	kernel := ""
	if !run.HasValue {
		kernel = r.readKernel(a, kind, by)
	}
	switch {
	case kernel != "":
		kind, by = site.Kernel, nil
	case kind == "" && by == nil:
		r.unknownLanguage(f, a)
		return
	}
	if run.HasValue && r.readJobScript(n, f, a, kind) {
		return
	}
	if diff, ok := a.by["diff"]; ok {
		a.fault(diff, diag.Say("blocks.diff-run"))
		delete(a.by, "diff")
	}
	names := slices.Concat([]string{"run", "name", "session", "env", "kernel", "timeout", "retries", "matrix", "needs", "network",
		"exit", "differs", "file", "region", "lines", "files"}, displayAttributes)
	where := diag.Say("blocks.where-runnable-block")
	if by != nil {
		names, where = append(names, "flags", "build"), diag.Say("blocks.where-recipe-block", "name", by.Name)
		kind = site.Kind(by.Name)
	}
	a.allowOnly(where, names...)
	b := r.addBlock(n, f, a, kind)
	r.readLimits(b, f, a)
	if by != nil {
		r.readRecipe(b, a, by)
	}
	if kind == site.Pycon {
		r.readExamples(f, b)
	}
	if kind == site.Pycon && !strings.HasPrefix(strings.TrimLeft(b.Code, " \n"), ">>>") {
		a.fault(run, diag.Say("blocks.pycon-no-prompt"))
	}
	r.joinSession(b, a, kernel)
}

// readKernel returns the kernel of a runnable block, or "". A default is not for bash and pycon
// blocks, nor for languages that are compiled.
func (r *Reader) readKernel(a fenceAttributes, kind site.Kind, by *recipe.Recipe) string {
	given, ok := a.by["kernel"]
	switch {
	case !ok && kind != site.Bash && kind != site.Pycon && (by == nil || by.Build == ""):
		return r.Defaults.Kernel
	case !ok || given.Value == "" && given.HasValue:
		return ""
	case kind == site.Pycon:
		a.fault(given, diag.Say("blocks.kernel-pycon"))
		return ""
	case !site.KernelName.MatchString(given.Value):
		a.fault(given, diag.Say("blocks.kernel-name-invalid", "value", given.Value).WithHint(site.KernelHint))
	}
	return given.Value
}

// readLimits reads the requirements, the time limit and the files of a block.
func (r *Reader) readLimits(b *site.Block, f *Fence, a fenceAttributes) {
	b.Timeout, b.Retries, b.Needs = r.Defaults.Timeout, r.Defaults.Retries, r.Defaults.Needs
	if t, ok := a.by["timeout"]; ok {
		d, err := site.ParseTimeout(t.Value)
		if err != nil {
			a.fault(t, diag.Plain(err).WithHint(site.TimeoutHint))
		}
		b.Timeout = d
	}
	if at, ok := a.by["retries"]; ok {
		n, err := site.ParseRetries(at.Value)
		if err != nil {
			a.fault(at, diag.Plain(err).WithHint(site.RetriesHint))
		}
		b.Retries = n
	}
	if needs, ok := a.by["needs"]; ok {
		b.Needs = a.expression(needs)
	}
	b.Exit = r.blockExit(a, b.Kind)
	r.readMatrix(b, a)
	r.readFiles(b, f, a)
}

// joinSession adds the block to its session.
func (r *Reader) joinSession(b *site.Block, a fenceAttributes, kernel string) {
	interpreter, name, env := "python", r.Defaults.Session, r.Defaults.Env
	switch {
	case b.Kind == site.Bash || b.Recipe != nil:
		interpreter = "bash"
	case b.Kind == site.Kernel:
		interpreter = "jupyter"
	}
	if s, ok := a.by["session"]; ok {
		if s.Value != "" && !site.BlockName.MatchString(s.Value) {
			a.fault(s, diag.Say("blocks.session-name-invalid", "value", s.Value).WithHint(site.NameHint))
		}
		name = s.Value
	}
	given, hasEnv := a.by["env"]
	if hasEnv {
		env = r.readEnvironment(a)
	}
	network := a.flag("network", diag.Say("blocks.network-value"))
	for _, s := range r.sessions {
		if name == "" || s.Name != name || s.Interpreter != interpreter {
			continue
		}
		if s.Kernel != kernel {
			if !a.has("session") { // a default, which does not join them
				continue
			}
			a.fault(a.by["session"], diag.Say("blocks.session-kernel-differs", "name", name, "kernel", s.Kernel,
				"where", r.File.Where(s.Blocks[0].Pos, b.Pos)).WithHint(diag.Say("blocks.session-environment-differs-hint")))
		}
		if s.Env != env && hasEnv {
			a.fault(given, diag.Say("blocks.session-environment-differs", "name", name, "env", s.Env, "where", r.File.Where(s.Blocks[0].Pos, b.Pos)))
		}
		if network && !s.Network {
			a.fault(a.by["network"], diag.Say("blocks.session-network-differs", "name", name, "where", r.File.Where(s.Blocks[0].Pos, b.Pos)))
		}
		b.Session = s
		s.Blocks = append(s.Blocks, b)
		return
	}
	b.Session = &site.Session{Name: name, Interpreter: interpreter, Kernel: kernel, Env: env, Network: network, Blocks: []*site.Block{b}}
	r.sessions = append(r.sessions, b.Session)
}

// readEnvironment reads the attribute env.
func (r *Reader) readEnvironment(a fenceAttributes) string {
	given := a.by["env"]
	env := given.Value
	if env == "" || r.Config.HasEnv(env) {
		return env
	}
	a.fault(given, diag.Say("blocks.environment-unknown", "env", env).WithHint(r.environmentHint(env)))
	return env
}

func (r *Reader) readGPU(n *ast.FencedCodeBlock, f *Fence, a fenceAttributes) {
	a.allowOnly(diag.Say("blocks.where-gpu-block"), "name", "tab", "title", "run", "env", "differs")
	b := r.addBlock(n, f, a, site.GPU)
	b.Env = r.readEnvironment(a)
	empty := true
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		code, _, _ := strings.Cut(strings.TrimRight(string(segment.Value(r.File.Data)), "\r\n"), "#")
		if strings.TrimSpace(code) == "" {
			continue
		}
		empty = false
		line, err := ask.ParseLine(code)
		if err != nil {
			r.Diags.Add(r.expressionFault(segment.Start, err))
			continue
		}
		need := line.Condition()
		r.checkEnvironments(need, segment.Start, segment.Stop)
		l := site.GPULine{Line: line, ID: report.GPULine(line.String()), Name: b.Name + "." + line.Name()}
		_, l.At = r.File.Cell(r.File.Line(segment.Start))
		if b.Env != "" && (line.Fact() == ask.Runs || need.OfEnvironment()) {
			l.ID = report.GPULine(line.String() + " in " + b.Env)
		}
		b.GPULines = append(b.GPULines, l)
	}
	if empty {
		r.Diags.Add(r.File.Error(n.Pos(), a.end, diag.Say("blocks.gpu-block-empty")))
	}
}

// AssignIDs assigns the ids of the runnable blocks. They depend on expectations, which follow their
// block.
func (r *Reader) AssignIDs() {
	r.giveFiles()
	r.combine()
	for _, s := range r.sessions {
		chain := report.NewChain(s.Interpreter, s.Env)
		if e, is := r.Config.Env[s.Env]; is {
			for _, trait := range e.Traits() {
				chain.With(trait)
			}
		}
		if s.Network {
			chain.With("network")
		}
		if s.Kernel != "" {
			chain.With("kernel " + s.Kernel)
		}
		for _, b := range s.Blocks {
			r.addTraits(chain, b)
			addFiles(chain, b)
			b.ID = chain.Next(string(b.Kind), b.Code, requirements(b), expectationPairs(b)...)
		}
	}
}

func (r *Reader) expressionFault(base int, err error) diag.Diagnostic {
	if e, ok := errors.AsType[*ask.Fault](err); ok {
		return r.File.Error(base+e.Offset, base+e.Offset+e.Width, e.Message)
	}
	return r.File.Error(base, base+1, diag.Plain(err))
}

// collect stores the attributes by name and reports unknown and repeated ones. Classes and ids are
// for other tools and are ignored.
func (a *fenceAttributes) collect(list []attribute.Attribute) {
	for _, at := range list {
		switch _, twice := a.by[at.Name]; {
		case at.Name == "." && at.Value == "annotate": // Material's form of {annotate}
			a.by["annotate"] = at
		case at.Name == "." || at.Name == "#":
		case !slices.Contains(attributeNames, at.Name):
			hint := diag.Known(at.Name, attributeNames)
			if !at.HasValue && a.r.runs(at.Name) { // ```{run python}
				hint = diag.Say("blocks.runnable-form-hint", "language", at.Name)
			}
			a.fault(at, diag.Say("markdown.include-attribute-unknown", "name", at.Name).WithHint(hint))
		case at.Name == "linenums":
			a.by["numbers"] = at
		case twice:
			a.fault(at, diag.Say("blocks.attribute-duplicate", "name", at.Name).WithHint(diag.Say("diag.keep-one-hint")))
		default:
			a.by[at.Name] = at
		}
	}
}

func (a *fenceAttributes) has(name string) bool {
	_, ok := a.by[name]
	return ok
}

// flag reports whether an attribute is set. It is an error if the attribute has a value.
func (a *fenceAttributes) flag(name string, message diag.Text) bool {
	at, ok := a.by[name]
	if at.HasValue {
		a.fault(at, message)
	}
	return ok
}

// allowOnly reports attributes other than names, which have no meaning here. where is empty for a
// block that is only shown.
func (a *fenceAttributes) allowOnly(where diag.Text, names ...string) {
	hint := diag.Say("blocks.attributes-allowed-hint", "names", strings.Join(names, ", "))
	if where.IsZero() {
		where, hint = diag.Say("blocks.where-display-block"), diag.Say("blocks.run-add-hint")
	}
	for _, name := range attributeNames {
		if at, ok := a.by[name]; ok && !slices.Contains(names, name) {
			a.fault(at, diag.Say("blocks.attribute-misplaced", "name", name, "where", where).WithHint(hint))
		}
	}
}

func (a *fenceAttributes) fault(at attribute.Attribute, message diag.Text) {
	a.r.Diags.Add(a.r.File.Error(a.base+at.Start, a.base+at.End, message))
}

func (a *fenceAttributes) expression(at attribute.Attribute) ask.Expr {
	e, err := ask.Parse(at.Value)
	if err != nil {
		start := a.base + at.ValueStart
		if fault, ok := errors.AsType[*ask.Fault](err); ok { // a quote may be written \"
			fault.Offset = escaped(a.r.File.Data[start:a.base+at.End], fault.Offset)
		}
		a.r.Diags.Add(a.r.expressionFault(start, err))
	}
	a.r.checkEnvironments(e, a.base+at.Start, a.base+at.End)
	return e
}

// escaped returns where byte n of a value is in the source, which may escape characters by a backslash.
func escaped(source []byte, n int) int {
	at := 0
	for ; n > 0 && at < len(source); n-- {
		if source[at] == '\\' {
			at++
		}
		at++
	}
	return min(at, len(source))
}

// checkEnvironments reports environments for which env(...) asks and that are not in gpudocs.toml.
func (r *Reader) checkEnvironments(e ask.Expr, start, end int) {
	for _, f := range e.Asks() {
		if function, env := f.Call(); function == ask.Env && !r.Config.HasEnv(env) {
			r.Diags.Add(r.File.Error(start, end, diag.Say("blocks.environment-unknown", "env", env).WithHint(r.environmentHint(env))))
		}
	}
}

func (r *Reader) environmentHint(env string) diag.Text {
	return diag.Suggest(env, slices.Sorted(maps.Keys(r.Config.Env)), diag.Say("blocks.environment-add-hint", "env", env))
}

// readJobScript reads a block with run=sbatch, a job script that is part of the tutorial. It
// reports whether the block is one. Any other value of run is an error.
func (r *Reader) readJobScript(n *ast.FencedCodeBlock, f *Fence, a fenceAttributes, kind site.Kind) bool {
	run := a.by["run"]
	switch {
	case run.Value != report.KindSbatch:
		a.fault(run, diag.Say("blocks.run-value", "value", run.Value))
		return false
	case kind != site.Bash:
		a.fault(run, diag.Say("blocks.job-script-language", "language", f.Language))
		return false
	case !strings.HasPrefix(f.Code, "#!"):
		a.fault(run, diag.Say("blocks.job-script-no-shebang"))
	}
	names := []string{"run", "name", "timeout", "retries", "matrix", "needs", "exit", "differs", "file", "region", "lines", "files"}
	a.allowOnly(diag.Say("blocks.where-job-script"), slices.Concat(names, displayAttributes)...)
	b := r.addBlock(n, f, a, site.Sbatch)
	r.readLimits(b, f, a)
	b.Session = &site.Session{Interpreter: report.KindSbatch, Blocks: []*site.Block{b}}
	r.sessions = append(r.sessions, b.Session)
	return true
}
