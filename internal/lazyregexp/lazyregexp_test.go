package lazyregexp

import "testing"

func TestRegexp(t *testing.T) {
	re := New(`^(\w+)=(.*)$`)
	if m := re.FindStringSubmatch("a=b"); len(m) != 3 || m[1] != "a" || re.MatchString("a") {
		t.Errorf("%q", m)
	}
	if got := re.ReplaceAllString("a=b", "$2"); got != "b" {
		t.Error(got)
	}
}

// A mistake is found in tests by New itself, and elsewhere by the first use.
func TestMistake(t *testing.T) {
	panics := func(f func()) (caught bool) {
		defer func() { caught = recover() != nil }()
		f()
		return
	}
	if !inTest || !panics(func() { New(`(`) }) {
		t.Error("no test would find the mistake")
	}
	defer func() { inTest = true }()
	inTest = false
	var re *Regexp
	if panics(func() { re = New(`(`) }) || !panics(func() { re.MatchString("") }) {
		t.Error("it is compiled before it is used, or not then")
	}
}
