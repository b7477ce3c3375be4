package rawhtml

import (
	"slices"
	"strings"
)

// What a page says of machines comes from reports, and looks as it does by classes: who writes
// a text does not write those, nor ids with which the page finds parts of its own. The names are
// the same for every theme.

// results are the classes by which what was found on a machine is known.
var results = strings.Fields(`panel verdict live measured readout mine meets stored stream matrix signature machines machine-name captures
	is-passed is-failed is-error is-skipped is-stale is-none is-altered stale-note altered-note
	code-run code-mine code-expected code-name code-needs code-when code-tag diff-missing diff-extra diff-taken diff-key
	row-status row-reason tick-passed tick-failed tick-error tick-skipped pane pane-only`)

// families are those of which further names are made: panel-passed.
var families = strings.Fields(`panel- live- measured- readout- mine- stored- stream- matrix- signature- status-`)

// OwnClass tells whether a class is one by which results are known.
func OwnClass(class string) bool {
	class = strings.ToLower(class) // CSS tells apart, a page in quirks mode would not
	return slices.Contains(results, class) || slices.ContainsFunc(families, func(f string) bool { return strings.HasPrefix(class, f) })
}

// parts are the ids of a page's own parts; partsOf begin those that are numbered or many.
var (
	parts   = strings.Fields(`_search _search-list _zoom _toc _sheet _refs _status _machines _values _measured _feeds _checks _picker _copy _later _content _contents _anchor _changes`)
	partsOf = strings.Fields(`_i- _p. _note. _mark. _tabs.`)
)

// OwnID tells whether an id is one of a page's own parts.
func OwnID(id string) bool {
	return strings.HasPrefix(id, "_") &&
		(slices.Contains(parts, id) || slices.ContainsFunc(partsOf, func(p string) bool { return strings.HasPrefix(id, p) }))
}

// OthersClasses are the classes in a list that authors may write, and those that they may not.
func OthersClasses(list string) (others string, own []string) {
	var kept []string
	for _, c := range strings.Fields(list) {
		if OwnClass(c) {
			own = append(own, c)
		} else {
			kept = append(kept, c)
		}
	}
	if len(own) == 0 {
		return list, nil
	}
	return strings.Join(kept, " "), own
}
