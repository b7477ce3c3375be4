package memo

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

func textKey(s string) (k Key) {
	sum := sha256.Sum256([]byte(s))
	return Key(sum[:len(k)])
}

// tableOf returns a table of a file, which may be nil.
func tableOf(file []byte) *Table {
	return NewTable("1", func() ([]byte, error) {
		if file == nil {
			return nil, os.ErrNotExist
		}
		return file, nil
	})
}

func tableWith(t testing.TB, file []byte, things ...string) []byte {
	t.Helper()
	table := tableOf(file)
	for _, s := range things {
		table.Put(textKey(s), []byte(s))
	}
	return written(t, table)
}

// written returns the file of a table.
func written(t testing.TB, table *Table) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := table.Write(&b); err != nil || table.Fresh() {
		t.Fatal(err)
	}
	return b.Bytes()
}

func has(table *Table, s string) bool {
	data, ok := table.Get(textKey(s))
	return ok && string(data) == s
}

func TestTable(t *testing.T) {
	file := tableWith(t, nil, "a", "bb", "")
	for _, table := range []*Table{tableOf(file), tableOf(tableWith(t, file, "c"))} {
		if !has(table, "a") || !has(table, "bb") || !has(table, "") || has(table, "d") || table.Fresh() {
			t.Error("the table read differs from the table written")
		}
	}
	if !bytes.Equal(file, tableWith(t, nil, "bb", "", "a")) {
		t.Error("the same entries give a different file")
	}
	if !bytes.Equal(file, tableWith(t, tableWith(t, nil, "a"), "bb", "")) {
		t.Error("entries written by another process in between are lost")
	}
	none := NewTable("1", nil)
	none.Put(textKey("a"), []byte("a"))
	if !has(none, "a") || has(none, "b") || !none.Fresh() {
		t.Error("a table without a file does not hold exactly the entry that was put")
	}
	if has(NewTable("2", func() ([]byte, error) { return file, nil }), "a") {
		t.Error("an entry of another version is used")
	}
}

// TestTableDamaged checks that only the intact entries of a damaged file are used, whatever the
// damage.
func TestTableDamaged(t *testing.T) {
	var things []string
	for i := range 40 {
		things = append(things, fmt.Sprint("thing ", i))
	}
	file := tableWith(t, nil, things...)
	check := func(damaged []byte) {
		t.Helper()
		table := tableOf(damaged)
		for _, s := range things {
			if data, ok := table.Get(textKey(s)); ok && string(data) != s {
				t.Fatalf("got %q, want %q", data, s)
			}
		}
		for _, s := range append(things, "new") {
			table.Put(textKey(s), []byte(s))
		}
		var b bytes.Buffer
		if err := table.Write(&b); err != nil {
			t.Fatal(err)
		}
		if again := tableOf(b.Bytes()); !has(again, "new") || !has(again, things[0]) {
			t.Fatal("the damaged file is not repaired by the next write")
		}
	}
	for n := 0; n < len(file); n += 7 {
		check(file[:n])
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		damaged := bytes.Clone(file)
		for range 1 + r.IntN(3) {
			damaged[r.IntN(len(damaged))] = uint8(r.Uint32())
		}
		check(damaged)
	}
	check(bytes.Repeat([]byte{0xff}, 1000))
	check(append(bytes.Clone(file[:magicSize]), 0xff, 0xff, 0xff, 0xff))
}

// TestTableRoom checks that the size of the file is limited, and that entries used in this run stay.
func TestTableRoom(t *testing.T) {
	big := func(i int) (Key, []byte) {
		return textKey(fmt.Sprint(i)), bytes.Repeat([]byte{uint8(i)}, MaxTable/10)
	}
	write := func(table *Table) []byte {
		var b bytes.Buffer
		if err := table.Write(&b); err != nil || b.Len() > MaxTable {
			t.Fatal(b.Len(), err)
		}
		return b.Bytes()
	}
	table := tableOf(nil)
	for i := range 9 {
		table.Put(big(i))
	}
	later := tableOf(write(table))
	for i := range 3 {
		k, _ := big(i)
		if _, ok := later.Get(k); !ok {
			t.Errorf("%d is lost", i)
		}
	}
	for i := 10; i < 15; i++ {
		later.Put(big(i))
	}
	last := tableOf(write(later))
	for _, i := range []int{0, 1, 2, 10, 11, 12, 13, 14} {
		k, _ := big(i)
		if _, ok := last.Get(k); !ok {
			t.Errorf("%d is lost", i)
		}
	}
	for i := range 100 {
		later.Put(big(i))
	}
	if later.size > MaxTable {
		t.Errorf("%d bytes in memory", later.size)
	}
}

func FuzzTable(f *testing.F) {
	f.Add(tableWith(f, nil, "a", "bb"))
	f.Fuzz(func(t *testing.T, file []byte) {
		table := tableOf(file)
		table.Get(textKey("a"))
		if data, ok := tableOf(tableWith(t, file, "c")).Get(textKey("c")); !ok || string(data) != "c" {
			t.Errorf("an entry added to an arbitrary file is read as %q, %v", data, ok)
		}
	})
}

func BenchmarkTable(b *testing.B) {
	table := tableOf(nil)
	for i := range 30000 {
		table.Put(textKey(fmt.Sprint(i)), bytes.Repeat([]byte{uint8(i)}, 400))
	}
	var file bytes.Buffer
	if err := table.Write(&file); err != nil {
		b.Fatal(err)
	}
	b.Run("open and get 30,000", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			t := tableOf(file.Bytes())
			for i := range 30000 {
				t.Get(textKey(fmt.Sprint(i)))
			}
		}
	})
	b.Run("write", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := tableOf(file.Bytes()).Write(new(bytes.Buffer)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestOverlap checks that a file whose values overlap is ignored: checking each would take quadratic time.
func TestOverlap(t *testing.T) {
	file := tableWith(t, nil, "aaaa", "bbbb")
	if !has(tableOf(file), "aaaa") {
		t.Fatal("the file has no value")
	}
	first := headSize + len(Key{})
	file[first+4]++ // the length of the first value
	if table := tableOf(file); has(table, "aaaa") || has(table, "bbbb") {
		t.Error("a file is used whose values overlap")
	}
}
