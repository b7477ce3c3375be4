package theme

import "github.com/gpudocs/gpudocs/internal/text"

// StatusView is the data of the template "status": a page that nobody wrote, of how
// all checks stand on all machines. A large table is on pages of its own; of those
// Part counts from 1, and only Matrix, Whole, Before and After are set.
type StatusView struct {
	Lang string
	// Pages counts those with checks, Checks counts by the worst on any machine.
	Pages  int
	Checks TallyView
	// Newest and Oldest are when the reports were made; nil where there is none.
	Newest, Oldest *Day
	Machines       MachinesView
	// Matrix is the table, or Parts are the pages that hold it.
	Matrix *MatrixView
	Parts  []StatusPart
	Part   int
	// Whole leads back to the first page, Before and After to the parts beside this.
	Whole, Before, After string
	// Charts compare what the machines measured.
	Charts []ChartView
	// Values are numbers over time, Unsteady checks that did not always end in the
	// same way. The Cut ones say how many are left out.
	Values, Unsteady       []HistoryView
	ValuesCut, UnsteadyCut int
	Feeds                  []FeedLink
	Badge                  *BadgeLink
	T                      text.Catalog
}

// StatusPart is a page that holds a part of the table.
type StatusPart struct {
	URL string
	// First and Last are the titles of the pages that it begins and ends with.
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
	// Statuses are all that a cell can have, to choose from.
	Statuses []StatusName
	Pages    []MatrixPage
	T        text.Catalog
}

// Columns counts those of the table: the block's, and the machines'.
func (v MatrixView) Columns() int { return 1 + len(v.Machines) }

// MatrixMachine is a column.
type MatrixMachine struct {
	Name  string
	Local bool
}

// StatusName is a status and its name in the reader's language.
type StatusName struct{ Status, Text string }

// MatrixPage is a page of the site, and its blocks as rows.
type MatrixPage struct {
	// Key is the same in all languages.
	Key, Title, URL string
	// Lang is set where the page is shown in another language.
	Lang string
	// Continued marks a page whose first rows stand in the part before.
	Continued bool
	Checks    CheckCount
	Rows      []MatrixRow
}

// MatrixRow is a block. Code is how it begins, URL leads to its panel.
type MatrixRow struct {
	Name, Kind, Code, URL string
	Cells                 []MatrixCell
}

// MatrixCell is the worst that a machine found for a block. URL leads to its result,
// and is empty where there is none.
type MatrixCell struct{ Status, Text, URL string }

// ChartView compares one thing that machines measured, on one scale from 0.
type ChartView struct {
	// Title is "matmul, n=4096, fp32", Unit that of all rates.
	Title, Unit string
	Bars        []BarView
	// Peaks tells that a bar has one; Cut says how many bars are left out.
	Peaks bool
	Cut   int
	T     text.Catalog
}

// BarView is a bar.
type BarView struct {
	Machine, GPU string
	// URL leads to where it was measured.
	URL string
	// Rate and Peak are with their unit, Share says how much of the peak the rate is;
	// the last two may be empty.
	Rate, Peak, Share string
	// Length and Mark are the rate's and the peak's place on the scale, from 0 to 100.
	Length, Mark string
	// CPU marks a processor's, Wrong a result that is wrong.
	CPU, Wrong    bool
	DateISO, Date string
}

// HistoryView is how something was on a machine over its runs, the oldest first.
type HistoryView struct {
	Machine, Page, Name, URL string
	// Status is how it is now.
	Status, StatusText string
	// Text says it in words. Line are the points of a line in a box of 100 x 20;
	// Ticks are the outcomes one by one.
	Text          string
	Line          string
	Ticks         []TickView
	Width         int
	DateISO, Date string
}

// TickView is an outcome in a box of 20 in height: X from the left. What passed stands
// above the middle, what did not below it, and what was skipped on it.
type TickView struct {
	Status string
	X      int
}

// FeedLink is what programs can read: Type is its media type.
type FeedLink struct{ Type, Title, URL string }

// BadgeLink is a badge, and the Markdown that shows it elsewhere, if the site has an
// address of its own.
type BadgeLink struct{ URL, Alt, Markdown string }
