package ask

import "testing"

func TestAnd(t *testing.T) {
	for _, tt := range [][3]string{
		{"", "", ""}, {"gpus >= 1", "", "gpus >= 1"}, {"", "gpus >= 1", "gpus >= 1"}, {"gpus >= 1", "gpus >= 1", "gpus >= 1"},
		{"gpus >= 1", "gpus >= 1 and cuda >= 12", "gpus >= 1 and cuda >= 12"},
		{"gpus >= 1", "gpus == 0 or cuda >= 12", "gpus >= 1 and (gpus == 0 or cuda >= 12)"},
		{"gpus >= 1 or cuda >= 12", "not compute < 7", "(gpus >= 1 or cuda >= 12) and not compute < 7"},
	} {
		a, err1 := Parse(tt[0])
		b, err2 := Parse(tt[1])
		want, err3 := Parse(tt[2])
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatal(err1, err2, err3)
		}
		got := And(a, b)
		if got.String() != tt[2] {
			t.Errorf("%q and %q: %q", tt[0], tt[1], got)
		}
		for _, m := range []Machine{{}, {GPUs: Count(0)}, {GPUs: Count(2)}, {GPUs: Count(1), CUDA: Value{parts: []uint64{12, 4}, text: "12.4"}}} {
			if got.Judge(m).Met() != want.Judge(m).Met() {
				t.Errorf("%q differs from %q on %v", got, want, m)
			}
		}
	}
}
