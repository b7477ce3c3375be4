package slurm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadOutput(t *testing.T) {
	t.Parallel()
	name := t.TempDir() + "/out"
	for _, size := range []int{0, 1, 19, 20, 21, 1000} {
		text := bytes.Repeat([]byte("0123456789"), 100)[:size]
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		hash := sha256.Sum256(text)
		want := Output{Text: text, Size: int64(size), SHA256: hex.EncodeToString(hash[:])}
		if size > 20 {
			want.Cut, want.Head = int64(size-20), 12
			want.Text = append(bytes.Clone(text[:12]), text[size-8:]...)
		}
		got, err := ReadOutput(name, 12, 8)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want.Text), string(got.Text)); d != "" {
			t.Errorf("%d bytes (-want +got):\n%s", size, d)
		}
		want.Text, got.Text = nil, nil
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%d bytes (-want +got):\n%s", size, d)
		}
	}
	if out, err := ReadOutput(os.DevNull, 12, 8); err != nil || len(out.Text) > 0 {
		t.Errorf("%+v, %v", out, err)
	}
}

// TestReadLate: a file that a node has written may be seen here a little later.
func TestReadLate(t *testing.T) {
	t.Parallel()
	name := t.TempDir() + "/out"
	time.AfterFunc(300*time.Millisecond, func() { _ = os.WriteFile(name, []byte("late"), 0o600) })
	if out, err := ReadOutput(name, 12, 8); err != nil || string(out.Text) != "late" {
		t.Errorf("%q, %v", out.Text, err)
	}
}

func TestFollower(t *testing.T) {
	t.Parallel()
	folder := Folder{Path: t.TempDir()}
	var got []string
	f := &Follower{Folder: folder, Line: func(of, line string) { got = append(got, of+":"+line) }}
	add := func(name, text string) {
		file, err := os.OpenFile(folder.Join(name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if _, err := file.WriteString(text); err != nil {
			t.Fatal(err)
		}
		f.Read()
	}
	add("a.out", "one\ntw")
	add("b.out", "B\n")
	add("a.json", "{}\n")
	add("a.out", "o\n\n")
	add("a.out", strings.Repeat("x", maxLine+1))
	add("a.out", "end")
	f.Close()
	f.Close()
	want := []string{"a:one", "b:B", "a:two", "a:", "a:" + strings.Repeat("x", maxLine+1), "a:end"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
