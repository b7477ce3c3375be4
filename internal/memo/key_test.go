package memo

import "testing"

// TestKeyOf checks that lists of texts have different keys unless they are the same.
func TestKeyOf(t *testing.T) {
	seen := map[Key][]string{}
	for _, texts := range [][]string{{}, {""}, {"", ""}, {"a"}, {"a", ""}, {"", "a"}, {"ab"}, {"a", "b"}, {"b", "a"}, {"\x01a"}} {
		k := KeyOf(texts...)
		if other, known := seen[k]; known {
			t.Errorf("%q and %q have the same key", texts, other)
		}
		if seen[k] = texts; KeyOf(texts...) != k {
			t.Errorf("%q has two keys", texts)
		}
	}
}
