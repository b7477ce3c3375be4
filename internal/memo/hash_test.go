package memo

import (
	"fmt"
	"testing"
	"time"
)

type byName struct {
	Name  string
	Other *byName
}

func (n *byName) HashTo(h *Hash) { h.Add(n.Name) }

// TestHash checks that equal values have the same key, and different values different keys.
func TestHash(t *testing.T) {
	type inner struct {
		a string
		b []byte
	}
	type outer struct {
		N     int
		Of    map[string]*inner
		Any   any
		At    time.Time
		Named *byName
		F     float64
		OK    bool
		list  [2]uint8
	}
	at := time.Date(2026, 11, 23, 1, 2, 3, 4, time.UTC)
	sample := func(change func(o *outer)) Key {
		o := outer{N: -1, Of: map[string]*inner{"x": {"p", []byte("q")}, "y": nil, "z": {}}, Any: "s", At: at, Named: &byName{"n", nil}, F: 1.5, list: [2]uint8{1, 2}}
		change(&o)
		return KeyOf("test", o)
	}
	same := sample(func(*outer) {})
	for i := range 20 { // the order of maps differs each time
		if sample(func(o *outer) { o.Named.Other = &byName{fmt.Sprint(i), nil} }) != same {
			t.Fatal("the same value has two keys")
		}
	}
	seen := map[Key]int{same: -1}
	for i, change := range []func(o *outer){
		func(o *outer) { o.N = 1 },
		func(o *outer) { o.Of["x"].a = "P" },
		func(o *outer) { o.Of["x"].b = []byte("Q") },
		func(o *outer) { o.Of["x"].a, o.Of["x"].b = "pq", nil },
		func(o *outer) { o.Of["y"] = &inner{} },
		func(o *outer) { o.Of["x"], o.Of["z"] = o.Of["z"], o.Of["x"] },
		func(o *outer) { delete(o.Of, "y") },
		func(o *outer) { o.Any = []byte("s") },
		func(o *outer) { o.Any = nil },
		func(o *outer) { o.At = at.Add(time.Nanosecond) },
		func(o *outer) { o.Named.Name = "m" },
		func(o *outer) { o.Named = nil },
		func(o *outer) { o.F = -1.5 },
		func(o *outer) { o.OK = true },
		func(o *outer) { o.list[1] = 3 },
		func(o *outer) { *o = outer{} },
	} {
		k := sample(change)
		if other, ok := seen[k]; ok {
			t.Errorf("changes %d and %d have the same key", other, i)
		}
		seen[k] = i
	}
	if KeyOf("a", "b") == KeyOf("ab", "") || KeyOf("a", "b", "c") == KeyOf("a", "bc") || KeyOf("a", 1) == KeyOf("a", uint(1)) {
		t.Error("values with different boundaries have the same key")
	}
}

func TestHashRefuses(t *testing.T) {
	type cycle struct{ Next *cycle }
	loop := &cycle{}
	loop.Next = loop
	for _, v := range []any{func() {}, make(chan int), loop, struct{ n *byName }{&byName{}}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%T has a key", v)
				}
			}()
			KeyOf("test", v)
		}()
	}
}

func BenchmarkHash(b *testing.B) {
	type link struct{ Title, URL, Lang string }
	var list []link
	for i := range 100 {
		list = append(list, link{fmt.Sprint("a page's title ", i), fmt.Sprint("../page-", i), ""})
	}
	for b.Loop() {
		KeyOf("test", list)
	}
}
