// Package memo remembers what is costly to make: in a run, and in a file between runs.
//
// A thing is made in two steps. The first is the costly one, a call of Mermaid, and what it
// returns is raw: it goes into the file as it is. The second, cheap, cleans it for a page, and is
// made in each run anew, for nothing in a file is believed. [Memo.Get] does both once for
// a key, however many goroutines ask at once.
//
//   - What both steps have made, and their errors, is remembered while the program runs.
//   - What the first step made without an error is stored. An error of the first step may be the
//     machine's, a clock or a Ctrl-C, and the next run tries again; one of the content that is
//     worth storing is a part of what is raw.
//   - What ended because nobody waits any more is not remembered at all.
//
// # The file
//
// It is JSON, of one version of what makes things; that of another version, and
// one that cannot be read, is as none. It is bounded in size: what this run has used goes
// before what an earlier one has. [Memo.Write] reads it again and keeps what another process has
// written since, so that two of them lose nothing to each other but what they write in the
// same moment; the caller swaps the file in whole.
package memo

import (
	"context"
	"io"
	"sync"
)

// Options say what is remembered.
type Options[Raw any] struct {
	// Version is the version of the code that computes the results.
	Version string
	// Open opens what Write has written in an earlier run. It may be nil.
	Open func() (io.ReadCloser, error)
	// Size is about how long a raw thing is, in bytes. In the file it may be twice as long.
	Size func(Raw) int
	// Kept bounds the number of finished things that are remembered.
	Kept int
}

// A Memo caches results. It may be used concurrently. Create it with [New].
type Memo[Raw, Done any] struct {
	options Options[Raw]
	opened  sync.Once
	mu      sync.Mutex
	known   map[string]result[Done]
	making  map[string]chan struct{} // closed when it is made
	stored  map[string]Raw
	used    map[string]bool // of what is stored, in this run
	room    int             // for more that is stored, in bytes
	fresh   bool            // something is not in the file yet
}

type result[Done any] struct {
	done Done
	err  error
}

// New returns a Memo with the results of an earlier run. Nothing is opened before the
// first use.
func New[Raw, Done any](o Options[Raw]) *Memo[Raw, Done] {
	return &Memo[Raw, Done]{options: o, known: map[string]result[Done]{}, making: map[string]chan struct{}{}, used: map[string]bool{}, room: maxStored}
}

// Get returns the result of finish, which gets that of first, from memory if possible.
// If another goroutine computes it, Get waits.
func (m *Memo[Raw, Done]) Get(ctx context.Context, key string, first func(context.Context) (Raw, error), finish func(Raw) (Done, error)) (Done, error) {
	m.opened.Do(m.open)
	for {
		m.mu.Lock()
		r, known := m.known[key]
		other := m.making[key]
		if !known && other == nil {
			m.making[key] = make(chan struct{})
		}
		m.mu.Unlock()
		switch {
		case known:
			return r.done, r.err
		case other == nil:
			return m.get(ctx, key, first, finish)
		}
		select {
		case <-other: // it may have been given up
		case <-ctx.Done():
			return r.done, ctx.Err()
		}
	}
}

// get makes what no other goroutine makes.
func (m *Memo[Raw, Done]) get(ctx context.Context, key string, first func(context.Context) (Raw, error), finish func(Raw) (Done, error)) (Done, error) {
	defer func() {
		m.mu.Lock()
		close(m.making[key])
		delete(m.making, key)
		m.mu.Unlock()
	}()
	m.mu.Lock()
	raw, stored := m.stored[key]
	m.mu.Unlock()
	var r result[Done]
	if !stored {
		if raw, r.err = first(ctx); r.err != nil && ctx.Err() != nil {
			return r.done, ctx.Err()
		}
	}
	store := r.err == nil
	if store {
		r.done, r.err = finish(raw)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.known) >= m.options.Kept {
		clear(m.known)
	}
	m.known[key] = r
	if store {
		m.put(key, raw, stored)
	}
	return r.done, r.err
}

// Known reports whether Get has the result already.
func (m *Memo[Raw, Done]) Known(key string) bool {
	m.opened.Do(m.open)
	m.mu.Lock()
	defer m.mu.Unlock()
	_, known := m.known[key]
	_, stored := m.stored[key]
	return known || stored
}
