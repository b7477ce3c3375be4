package spelling

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"strings"

	"github.com/gpudocs/gpudocs/test/programtest"
)

// unknown returns the words that hunspell's dictionary lacks, with suggestions. Hunspell splits words at
// hyphens, so several parts of one word may be missing.
func unknown(dictionary string, words []string) (map[string][]lack, error) {
	var in bytes.Buffer
	for _, w := range words {
		fmt.Fprintln(&in, "^"+strings.ReplaceAll(w, "’", "'")) // ^: no line is a command
	}
	c := exec.Command("hunspell", "-a", "-i", "utf-8", "-d", dictionary)
	c.Stdin = &in
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("hunspell -d %s: %w", dictionary, err)
	}
	found := map[string][]lack{}
	s := bufio.NewScanner(bytes.NewReader(out))
	s.Scan() // hunspell's version
	at := 0
	for s.Scan() && at < len(words) {
		f := strings.Fields(s.Text())
		switch {
		case len(f) == 0: // the end of the answer for a word
			at++
		case f[0] == "#":
			found[words[at]] = append(found[words[at]], lack{part: f[1]})
		case f[0] == "&":
			_, suggestions, _ := strings.Cut(s.Text(), ": ")
			found[words[at]] = append(found[words[at]], lack{f[1], suggestions})
		}
	}
	if at != len(words) {
		return nil, fmt.Errorf("hunspell -d %s answered for %d of %d words", dictionary, at, len(words))
	}
	return found, s.Err()
}

// A lack is a word, or a part of one, that a dictionary lacks.
type lack struct{ part, suggestions string }

// installed returns an error if hunspell lacks a dictionary.
func installed(dictionary string) error {
	if err := programtest.Fault("hunspell"); err != nil {
		return err
	}
	c := exec.Command("hunspell", "-a", "-d", dictionary)
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("hunspell -d %s: %w: %s", dictionary, err, bytes.TrimSpace(out))
	}
	return nil
}
