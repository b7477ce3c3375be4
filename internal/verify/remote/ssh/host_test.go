package ssh

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/verify/remote"
)

func TestParseHosts(t *testing.T) {
	t.Parallel()
	got, err := ParseHosts([]string{"deepnine", "deepten=ana@10.0.0.3", "far=ssh://ana@lab.example.org:2222", "odd=a=b", "v6=::1"})
	want := []Host{{"deepnine", "deepnine"}, {"deepten", "ana@10.0.0.3"}, {"far", "ssh://ana@lab.example.org:2222"}, {"odd", "a=b"}, {"v6", "::1"}}
	if err != nil || !cmp.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"", "=", "lab=", "=lab", "-F/etc/passwd", "lab=-oProxyCommand=id", "DeepNine", "ana@lab", "../x", "a/b=c", "lab=a b", "lab=a\nb", "lab=a\x1bb"} {
		if h, err := ParseHosts([]string{bad}); !errors.As(err, new(*remote.Error)) {
			t.Errorf("%q: %v, %v", bad, h, err)
		}
	}
	if _, err := ParseHosts([]string{"a", "a=b"}); !errors.As(err, new(*remote.Error)) {
		t.Errorf("the same label twice: %v", err)
	}
}

// FuzzHost: an accepted host has a valid label, and is no option of ssh.
func FuzzHost(f *testing.F) {
	for _, s := range []string{"a", "a=b", "a=-b", "-a", "a= -b", "=", "A=b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		h, err := ParseHost(s)
		if err == nil && (h.Label == "" || h.Destination == "" || h.Destination[0] == '-') {
			t.Errorf("%q gives %v", s, h)
		}
	})
}

func TestChoose(t *testing.T) {
	t.Parallel()
	arm, here := &Program{System: "linux/arm64"}, &Program{System: "linux/amd64"}
	for uname, want := range map[string]*Program{"Linux x86_64": here, "Linux aarch64": arm, "Linux i686": nil, "Darwin arm64": nil, "Plan9 z80": nil, "": nil} {
		got, err := choose([]*Program{arm, here}, uname)
		if got != want || (err == nil) != (want != nil) {
			t.Errorf("%q: %v, %v", uname, got, err)
		}
	}
}
