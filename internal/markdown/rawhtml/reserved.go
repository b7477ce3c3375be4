package rawhtml

import (
	"slices"
	"strings"
)

// What a page says of machines comes from reports, and classes determine how it looks. Authors
// cannot use these classes, nor the ids of a page's generated parts. The names are the same for all
// themes.

// resultClasses are the classes of results.
var resultClasses = strings.Fields(`panel verdict live measured measures preview facts readout mine meets my-gpu stored stream matrix signature machines machine-name captures
	is-passed is-failed is-error is-skipped is-stale is-none is-altered is-not-applicable is-answered is-unsteady is-yes is-no stale-note altered-note
	code-run code-mine code-expected code-name code-words code-value code-kept code-promise code-tag diff-missing diff-extra diff-taken diff-key
	row-status row-reason tick-passed tick-failed tick-error tick-skipped pane pane-only`)

// resultClassPrefixes are the beginnings of further classes: panel-passed.
var resultClassPrefixes = strings.Fields(`panel- preview- live- measured- measures- readout- mine- my-gpu- stored- stream- matrix- signature- status-`)

// ReservedClass reports whether a class is that of a result.
func ReservedClass(class string) bool {
	class = strings.ToLower(class) // only a page in quirks mode ignores case
	return slices.Contains(resultClasses, class) || slices.ContainsFunc(resultClassPrefixes,
		func(f string) bool { return strings.HasPrefix(class, f) })
}

// reservedIDs are those of generated parts, and reservedIDPrefixes the beginnings of those that are numbered.
var (
	reservedIDs        = strings.Fields(`_search _search-list _zoom _toc _sheet _refs _status _machines _my-gpu-title _my-gpu-driver _values _measured _measures _feeds _checks _picker _copy _later _content _contents _anchor _changes _failed _unsteady _pages`)
	reservedIDPrefixes = strings.Fields(`_i- _p. _note. _mark. _tabs. _exercise. _solution.`)
)

// ReservedID reports whether an id is that of a generated part of a page.
func ReservedID(id string) bool {
	return strings.HasPrefix(id, "_") &&
		(slices.Contains(reservedIDs, id) || slices.ContainsFunc(reservedIDPrefixes, func(p string) bool { return strings.HasPrefix(id, p) }))
}

// SplitClasses splits a list of classes into those that authors may use and the reserved ones.
func SplitClasses(list string) (others string, reserved []string) {
	var allowed []string
	for _, c := range strings.Fields(list) {
		if ReservedClass(c) {
			reserved = append(reserved, c)
		} else {
			allowed = append(allowed, c)
		}
	}
	if len(reserved) == 0 {
		return list, nil
	}
	return strings.Join(allowed, " "), reserved
}
