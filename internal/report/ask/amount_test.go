package ask

import "testing"

func TestAmount(t *testing.T) {
	for s, want := range map[string]uint64{"8 GiB": 8 << 30, "8GiB": 8 << 30, " 1.5 kB ": 1500, "1 B": 1} {
		if v, err := ParseSize(s); err != nil || v.Uint64() != want {
			t.Errorf("%q: %d, %v", s, v.Uint64(), err)
		}
	}
	for _, s := range []string{"", "8", "GiB", "8 GiB 2", "-1 GiB", "9 EB", "99999999999 GiB", "8 GiB,"} {
		if v, err := ParseSize(s); err == nil {
			t.Errorf("%q: %d", s, v.Uint64())
		}
	}
	if n := (Value{}).Uint64(); n != 0 {
		t.Errorf("the zero Value is %d, want 0", n)
	}
}
