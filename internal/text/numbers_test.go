package text

import "testing"

func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		x          float64
		decimals   int
		en, pt, es string
	}{
		{0.5, 1, "0.5", "0,5", "0,5"},
		{1024, 0, "1024", "1024", "1024"},
		{-12345.5, 1, "-12,345.5", "-12.345,5", "-12\u202f345,5"},
		{1234567, 0, "1,234,567", "1.234.567", "1\u202f234\u202f567"},
	} {
		for code, want := range map[string]string{"en": tt.en, "pt": tt.pt, "es": tt.es} {
			if got := Of(code).Number(tt.x, tt.decimals); got != want {
				t.Errorf("%s: %v is %q, want %q", code, tt.x, got, want)
			}
		}
	}
}

// TestAmounts writes what a report has, but no version and no text, as Portuguese does.
func TestAmounts(t *testing.T) {
	for s, want := range map[string]string{
		"40.0 GiB": "40,0 GiB", "71.2 TFLOP/s": "71,2 TFLOP/s", "-3.5 %": "-3,5 %", "12345.60 µs": "12.345,60 µs", "1.5e-05 s": "1,5e-05 s",
		">= 0.5 ms": ">= 0,5 ms", "4 GPUs": "4 GPUs", "nan ms": "nan ms",
		"550.54.14": "550.54.14", "12.4": "12.4", "torch 2.10.0": "torch 2.10.0", "driver >= 525.60": "driver >= 525.60", "": "",
		"2.5 and 3.5": "2.5 and 3.5", "1.5 ms\n": "1.5 ms\n",
	} {
		if got := Of("pt").Amount(s); got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
		if got := Of("en").Amount(s); len(s) < 10 && got != s {
			t.Errorf("English changes %q to %q", s, got)
		}
	}
}
