package theme

import "github.com/gpudocs/gpudocs/internal/text"

// StatusView is the data of the template "status": a generated page with the state of all checks on
// all machines. A large table is split into pages of its own, of which Part counts from 1; only
// Matrix, Whole, Before and After are set on them.
type StatusView struct {
	Lang string
	// Pages counts the pages with checks, Checks counts checks by their status on all machines.
	Pages  int
	Checks TallyView
	// Newest and Oldest are the times of reports, or nil if there is none.
	Newest, Oldest *Day
	Machines       MachinesView
	// Matrix is the table, or Parts are the pages that hold it.
	Matrix *MatrixView
	Parts  []StatusPart
	Part   int
	// Whole leads back to the first page, Before and After to the parts before and after this one.
	Whole, Before, After string
	// Changes are what fails and what is mended, or nil if no machine has reported.
	Changes *ChangesView
	// Charts compare what the machines measured, Measured what blocks of pages captured on several machines, by page.
	// MeasuredCut is the number of values that are left out.
	Charts      []ChartView
	Measured    []MeasuredPage
	MeasuredCut int
	// Values are numbers over time, Unsteady checks whose outcome has changed. ValuesCut and
	// UnsteadyCut are the numbers of those that are left out.
	Values, Unsteady       []HistoryView
	ValuesCut, UnsteadyCut int
	Feeds                  []FeedLink
	Badge                  *BadgeLink
	T                      text.Catalog
}

// StatusPart is a page with a part of the table.
type StatusPart struct {
	URL string
	// First and Last are the titles of its first and its last page.
	First, Last string
	Checks      TallyView
}

// TallyView is the data of the template "tally".
type TallyView struct {
	CheckCount
	T text.Catalog
}

// MatrixView is the table of machines and checks.
type MatrixView struct {
	Machines []MatrixMachine
	// Statuses are the statuses that a cell can have, for a filter.
	Statuses []StatusName
	Pages    []MatrixPage
	T        text.Catalog
}

// Columns returns the number of columns: the block's, and the machines'.
func (v MatrixView) Columns() int { return 1 + len(v.Machines) }

// MatrixMachine is a column.
type MatrixMachine struct {
	Name, Cards string
	Local       bool
}

// StatusName is a status and its name in the reader's language.
type StatusName struct{ Status, Text string }

// MatrixPage is a page of the site, and its blocks as rows.
type MatrixPage struct {
	// Key is the same in all languages.
	Key, Title, URL string
	// Lang is set where the page is shown in another language.
	Lang string
	// Continued marks a page whose first rows are in the part before.
	Continued bool
	Rows      []MatrixRow
}

// MatrixRow is a block. Code is its beginning, URL leads to its panel.
type MatrixRow struct {
	Name, Kind, Code, URL string
	Cells                 []MatrixCell
}

// MatrixCell is the status of a block on a machine. URL leads to its result, and is empty if
// there is none.
type MatrixCell struct {
	Status, Text, URL string
	// Unsteady is set if it passed, and a check of it not at its first try.
	Unsteady bool
	// Mark is "~" then, and "↓" if the machine has lost what it needs.
	Mark string
}

// ChartView compares the measurements of one quantity, on a scale that begins at 0.
type ChartView struct {
	// Title is "matmul, n=4096, fp32", Unit that of all rates.
	Title, Unit string
	Bars        []BarView
	// Peaks is set if a bar has a peak; Cut is the number of bars that are left out.
	Peaks bool
	Cut   int
	T     text.Catalog
}

// BarView is a bar.
type BarView struct {
	Machine, GPU string
	// URL leads to the block that measured it.
	URL string
	// Rate and Peak include their unit, and the peak its clock if that matters, Share is the share of the peak; the last two may be empty.
	Rate, Peak, Share string
	// Length and Mark are the positions of the rate and the peak on the scale, from 0 to 100.
	Length, Mark string
	// CPU marks the bar of a CPU, Wrong a result that is wrong.
	CPU, Wrong    bool
	DateISO, Date string
}

// HistoryView is a value or outcome on a machine over its runs, the oldest first.
type HistoryView struct {
	Machine, Page, Name, URL string
	// Status is the current one.
	Status, StatusText string
	// Text is a sentence about it. Line are the points of a line in a box of 100 x 20, Ticks the
	// outcomes.
	Text          string
	Line          string
	Ticks         []TickView
	Width         int
	DateISO, Date string
}

// ChangesView is what fails on which machine and what is mended, each the newest first: Recent began or ended in the days
// before Until, the newest result; Failing began to fail earlier, and Mended was mended earlier. Failed counts all that fail, Lost
// what its machine has lost, Cut those of the lists that are left out. Machines says which machines have lost their GPUs, and Elsewhere
// links to what fails in other languages only.
type ChangesView struct {
	Recent, Failing, Mended []ChangeView
	Failed, Lost, Cut       int
	Machines                []string
	Elsewhere               []Link
	Until                   *Day
	T                       text.Catalog
}

// Began returns how many of the listed checks began to fail in these days.
func (v ChangesView) Began() (n int) {
	for _, c := range v.Recent {
		if c.Status != "passed" {
			n++
		}
	}
	return n
}

// ChangeView is a check that fails, or is mended, since a day. Text says which, Reason why it fails, and Line is the line of
// its output that says most, or empty.
type ChangeView struct {
	HistoryView
	Reason, Line string
}

// MeasuredPage is a page with its values on several machines, the best first.
type MeasuredPage struct {
	Title, URL, Lang string
	MeasuresView
}

// TickView is an outcome, drawn at X in a box with a height of 20: passed above the middle, skipped on
// it, and others below it.
type TickView struct {
	Status string
	X      int
}

// FeedLink leads to a feed for programs: Type is its media type.
type FeedLink struct{ Type, Title, URL string }

// BadgeLink is a badge, and the Markdown that shows it elsewhere, if the site has a base URL.
type BadgeLink struct{ URL, Alt, Markdown string }
