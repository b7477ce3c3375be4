package resolve

import (
	"testing"
)

func TestRelative(t *testing.T) {
	tests := []struct{ from, to, want string }{
		{"pt", "pt/a.md", "a.md"}, {"pt", "pt/a/b.md", "a/b.md"}, {"pt/a", "pt/b.md", "../b.md"}, {"pt/a/b", "es/c.md", "../../../es/c.md"},
	}
	for _, tt := range tests {
		if got := relative(tt.from, tt.to); got != tt.want {
			t.Errorf("relative(%q, %q) = %q, want %q", tt.from, tt.to, got, tt.want)
		}
	}
}
