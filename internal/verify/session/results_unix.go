//go:build unix

package session

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// A message is what a driver reports, one JSON object a line.
type message struct {
	Nonce     string
	Kind      string // "exit" if the shell is about to leave, else the step is done
	Exit      int
	Line      int
	Exception string
	Figures   int // that lie in the folder for them
}

// results reads the drivers' reports from a FIFO. Its end is a secret line that
// the engine writes when the interpreter is gone: so nothing reported before is
// lost, and a child that holds the FIFO open does not matter.
type results struct {
	f        *os.File
	secret   string
	messages chan message // closed at the end
}

func openResults(path string) (*results, error) {
	if err := unix.Mkfifo(path, 0o600); err != nil {
		return nil, fmt.Errorf("make FIFO %s: %w", path, err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	r := &results{f: f, secret: rand.Text(), messages: make(chan message)}
	go r.read()
	return r, nil
}

func (r *results) read() {
	defer close(r.messages)
	lines := bufio.NewReaderSize(r.f, 64<<10)
	for {
		line, tooLong, err := lines.ReadLine()
		if err != nil || string(line) == r.secret {
			return
		}
		for tooLong && err == nil { // not from a driver
			line = nil
			_, tooLong, err = lines.ReadLine()
		}
		var m message
		if json.Unmarshal(line, &m) == nil {
			r.messages <- m
		}
	}
}

// end may follow half a line of whoever wrote there, hence the first newline.
func (r *results) end() { r.f.WriteString("\n" + r.secret + "\n") }
