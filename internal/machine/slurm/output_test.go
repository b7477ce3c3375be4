package slurm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
)

func TestReadOutput(t *testing.T) {
	t.Parallel()
	name := t.TempDir() + "/out"
	for _, size := range []int{0, 1, 19, 20, 21, 1000} {
		text := bytes.Repeat([]byte("0123456789"), 100)[:size]
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		want := subprocess.Output{Text: text}
		if size > 20 {
			hash := sha256.Sum256(text)
			want = subprocess.Output{Cut: int64(size - 20), Head: 12, Total: int64(size), SHA256: hex.EncodeToString(hash[:])}
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

// TestReadLate: a file that a node has written may appear here a little later.
func TestReadLate(t *testing.T) {
	t.Parallel()
	name := t.TempDir() + "/out"
	time.AfterFunc(300*time.Millisecond, func() { _ = os.WriteFile(name, []byte("late"), 0o600) })
	if out, err := ReadOutput(name, 12, 8); err != nil || string(out.Text) != "late" {
		t.Errorf("%q, %v", out.Text, err)
	}
}
