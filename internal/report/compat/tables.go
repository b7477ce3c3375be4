package compat

import (
	"maps"
	"slices"
	"strings"
)

// Models returns the names of all models, in lists of those that are alike, "L4, L40", and other names of some.
func Models() (lists []string) {
	for _, m := range models {
		names := strings.Split(m.list, ", ")
		for i, name := range names {
			names[i] = name[:strings.LastIndexByte(name, ' ')] // without the sizes of its memory
		}
		lists = append(lists, strings.Join(names, ", "))
	}
	return append(lists, strings.Join(slices.Sorted(maps.Keys(aliases)), ", "))
}

// Tables returns the tables of this package for a program in another language, as values for JSON. The script of the
// default theme judges a reader's own GPU with them, by the rules of this package.
func Tables() map[string]any {
	rows := map[string][][]any{}
	for _, t := range toolkits {
		rows["toolkits"] = append(rows["toolkits"], []any{t.version, t.linux, t.windows, t.archs})
	}
	for _, f := range families {
		rows["families"] = append(rows["families"], []any{f.major, f.linux, f.windows})
	}
	for _, b := range builds {
		rows["builds"] = append(rows["builds"], []any{b.framework, b.toolkit, b.from, b.until, b.archs, b.arm, b.windows, b.floor})
	}
	for _, c := range models {
		rows["cards"] = append(rows["cards"], []any{c.compute, c.list})
	}
	for _, b := range lastBranches {
		rows["lastBranches"] = append(rows["lastBranches"], []any{b.compute, b.name, b.next, b.cuda})
	}
	return map[string]any{"toolkits": rows["toolkits"], "families": rows["families"], "builds": rows["builds"], "cards": rows["cards"],
		"boards": boards, "consumer": consumer, "dataCenter": dataCenter, "lastBranches": rows["lastBranches"], "shortBranches": short, "goneBranches": gone,
		"lastCuDNN": lastCuDNN, "aliases": aliases}
}
