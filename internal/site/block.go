package site

import (
	"strconv"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/match"
	"github.com/gpudocs/gpudocs/internal/site/recipe"
)

// LineOf returns the line number, in its file, of a line of the code, counted from 0.
func (b *Block) LineOf(i int) int {
	if b.Origin != nil && i < len(b.Origin.Lines) {
		return b.Origin.Lines[i]
	}
	return b.CodeLine + i
}

// Source returns the code as it is run. Lines of its file that are left out are replaced by empty
// lines, so that line numbers in error messages are those of the file.
func (b *Block) Source() string {
	if b.Origin == nil || strings.HasPrefix(b.Code, "%%") {
		return b.Code
	}
	var out strings.Builder
	next := b.CodeLine
	for i, line := range CodeLines(b.Code) {
		at := b.LineOf(i)
		out.WriteString(strings.Repeat("\n", at-next) + line + "\n")
		next = at + 1
	}
	return out.String()
}

// An Expect is an expected output.
type Expect struct {
	// When selects the machines that the expectation is for. If it is zero, it is for the machines
	// that no other expectation of its stream matches.
	When ask.Expr
	Text string
	// Parsed is Text as it is compared with an output.
	Parsed *match.Expectation
	// File is the file that the expectation is written in, and Line the first line of its text,
	// counted in Cell unless that is 0.
	File       string
	Cell, Line int
	// Tolerance determines how the output is compared with Text.
	Tolerance match.Tolerance
	// Stderr is set if it is for standard error instead of standard output.
	Stderr bool
	// Exit is the expected exit code on these machines. If nil, the block's is expected.
	Exit *int
}

// Attributes returns the attributes that change how the output is compared, in normal form.
func (e *Expect) Attributes() (list []string) {
	number := func(name string, v float64) {
		if v != 0 {
			list = append(list, name+"="+strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	number("rtol", e.Tolerance.RTol)
	number("atol", e.Tolerance.ATol)
	if e.Tolerance.Number {
		list = append(list, "number")
	}
	if e.Stderr {
		list = append(list, "stream=stderr")
	}
	if e.Exit != nil {
		list = append(list, "exit="+strconv.Itoa(*e.Exit))
	}
	return list
}

// CodeLines splits code into its lines, without their ends.
func CodeLines(code string) []string {
	if code == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(code, "\n"), "\n")
}

// Environment returns the name of the environment that the block runs in, or that a gpu block asks about.
func (b *Block) Environment() string {
	if b.Session != nil {
		return b.Session.Env
	}
	return b.Env
}

// Program returns the name of the program that a block with a recipe is compiled to.
func (b *Block) Program() string {
	if strings.HasPrefix(b.Name, "#") {
		return recipe.Main
	}
	return b.Name
}

// A Kind determines what runs a block. Its values are those of the field Kind of [report.Check].
type Kind string

// The kinds of blocks. Those with a recipe have its name.
const (
	Bash   Kind = report.KindBash
	Python Kind = report.KindPython
	Pycon  Kind = report.KindPycon
	GPU    Kind = report.KindGPU
	// Sbatch is a bash block that is a job script: run=sbatch.
	Sbatch Kind = report.KindSbatch
	// Kernel is a block in any language that a Jupyter kernel runs.
	Kernel Kind = report.KindKernel
)

// A Block is a runnable block or a gpu block.
type Block struct {
	Page *Page
	Kind Kind
	// Name is the author's name=, or "#2" for the second block of its page.
	Name string
	// Section is the text of the heading above it, or empty.
	Section string
	// Cell is the notebook's cell, counted from 1, in which lines are counted. It is 0 in a
	// Markdown file.
	Cell int
	// File is the file that the block is written in: the page's, or one that the page includes.
	File string
	// Line is the line of the fence, and CodeLine the first line of the code. In a code cell both
	// are 1. Opening is the text of Line.
	Line, CodeLine int
	Opening        string
	// CodeFile is the file that the code is written in, in which CodeLine counts. It differs from
	// File if the block has file=.
	CodeFile string
	Code     string
	// ID is the id of a runnable block's check. In a gpu block each line has one instead.
	ID report.ID
	// Session is nil for a gpu block.
	Session *Session
	// Env is the environment in which a gpu block looks for frameworks.
	Env     string
	Timeout time.Duration
	// Retries is how often the block is tried again if it does not pass. It is not part of the ID.
	Retries int
	Needs   ask.Expr
	// Recipe builds and runs the block if neither bash nor Python does, with these flags. NoBuild is set
	// if the author expects that it does not compile.
	Recipe  *recipe.Recipe
	Flags   string
	NoBuild bool
	// Exit is the expected exit code, unless an expectation has one.
	Exit int
	// Captures are the names of the values that its expectations capture.
	Captures []string
	// Values are the parameters of a block with matrix= in its combination. Combinations are all combinations,
	// this block among them; it is nil for the others. They have its name, and sessions of their own.
	Values       []Value
	Combinations []*Block
	// Differs allows translations to have different code here.
	Differs bool
	// Expects are the expected outputs that follow the block.
	Expects []*Expect
	// Examples are the statements of a pycon block, with their outputs.
	Examples []match.Example
	// GPULines are the requirements of a gpu block.
	GPULines []GPULine
	// Files and Saves are put into the session's folder before the block runs, and are not there yet.
	Files []DataFile
	Saves []SavedFile

	// Pos is the offset of the block's fence in the page's source.
	Pos    int
	Origin *Origin
}

// A Value is that of a parameter of a block with matrix=.
type Value struct{ Name, Text string }

// Combination returns the values of the block, "[n=1024,dtype=fp32]", or "" if it has none. It follows
// the names of the block's check and of the values that this captures.
func (b *Block) Combination() string {
	var parts []string
	for _, v := range b.Values {
		parts = append(parts, v.Name+"="+v.Text)
	}
	if parts == nil {
		return ""
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// CheckName returns the name of the check of a block that runs.
func (b *Block) CheckName() string { return b.Name + b.Combination() }

// Runs returns the block with its other combinations.
func (b *Block) Runs() []*Block {
	if b.Combinations != nil {
		return b.Combinations
	}
	return []*Block{b}
}

// Runs returns the blocks of the page with their other combinations.
func (p *Page) Runs() (list []*Block) {
	for _, b := range p.Blocks {
		list = append(list, b.Runs()...)
	}
	return list
}

// A Session is the blocks of a page that share one interpreter process.
type Session struct {
	// Name is the author's session=, or empty if the session has no other block.
	Name string
	// Interpreter is "bash" or "python"; pycon and python blocks share one, and so do bash blocks and
	// those with a recipe. It is "sbatch" for a job script, which always has its own session, and
	// "jupyter" for blocks with kernel=.
	Interpreter string
	// Kernel is the name of the Jupyter kernel, or empty.
	Kernel string
	// Env names an environment of gpudocs.toml. If empty, the machine's default interpreters are
	// used.
	Env string
	// Network is set if the first block has the attribute network, which gives it the network in a
	// sandbox.
	Network bool
	Blocks  []*Block
}

// Checks returns the checks of the block, without its other combinations: the lines of a gpu block, or the block itself, which has no
// line.
func (b *Block) Checks() []GPULine {
	if b.Kind == GPU {
		return b.GPULines
	}
	return []GPULine{{ID: b.ID, Name: b.CheckName(), At: b.Line}}
}

// A GPULine is one line of a gpu block.
type GPULine struct {
	ask.Line
	ID report.ID
	// Name is the name of the check: the block's, a dot, and that of the line, as in "lab.driver", "lab.cu124", "lab.matmul" and
	// "lab.nvlink-up".
	Name string
	// At is its line of the file or cell.
	At int
}

// Place returns a line of the file or cell that the block is written in.
func (b *Block) Place(line int) report.Place {
	return report.Place{File: b.File, Cell: b.Cell, Line: line}
}

// CodePlace returns a line of the file or cell that the block's code is written in.
func (b *Block) CodePlace(line int) report.Place {
	return report.Place{File: b.CodeFile, Cell: b.Cell, Line: line}
}

// Anchor returns the block's id in the page.
func (b *Block) Anchor() string {
	if number, ok := strings.CutPrefix(b.Name, "#"); ok {
		return "block-" + number
	}
	return "code-" + b.Name
}
