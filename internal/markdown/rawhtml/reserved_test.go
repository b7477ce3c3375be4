package rawhtml

import (
	"strings"
	"testing"
)

func TestReserved(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`<div class="panel is-passed">`:          `<div> -div.class -div.class`,
		`<div class="Panel x panel-failed y">`:   `<div class="x y"> -div.class -div.class`,
		`<p class="grid  cards" id="__init__">`:  `<p class="grid  cards" id="__init__">`,
		`<p id="_i-passed" class="verdict">`:     `<p> -p.id -p.class`,
		`<a name="_search" href="x">`:            `<a href="x"> -a.name`,
		`<span class="paneling my-panel is-on">`: `<span class="paneling my-panel is-on">`,
	} {
		if got := filter(in); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
	for id, want := range map[string]bool{"_i-none": true, "_p.1.x": true, "_note.1": true, "_toc": true, "_toca": false, "_x": false, "i-none": false, "__p.": false, "": false} {
		if ReservedID(id) != want {
			t.Errorf("%q", id)
		}
	}
	if others, reserved := SplitClasses(" a  b "); others != " a  b " || reserved != nil {
		t.Errorf("%q %q", others, reserved)
	}
	if !strings.HasPrefix(resultClassPrefixes[0], "panel-") {
		t.Error("the prefixes of classes lack that of the panel")
	}
}
