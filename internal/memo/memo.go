// Package memo caches what is costly to compute, in a run and in a file between runs.
//
//   - A [Table] caches bytes by [Key] (table.go), the hash of all that they depend on (key.go).
//   - A [Memo] is a Table for results of two steps (memo.go).
//   - [FileSums] remembers the hashes of files (filesums.go).
package memo

import (
	"context"
	"sync"
)

// A Memo caches results that are computed in two steps. The first is costly, such as a call of Mermaid; what it returns
// is stored as it is. The second is cheap and cleans it for a page. It runs again in each run, because the stored bytes
// are not trusted.
//
// Results and errors of both steps are cached as long as the program runs, so each is computed once however many
// goroutines ask for it. An error of the first step is not stored: it may be the machine's, and the next run tries
// again. What ends with its context is not cached at all.
//
// A Memo is safe for use by several goroutines. Create it with [New].
type Memo[T any] struct {
	stored *Table
	limit  int

	mu      sync.Mutex
	known   map[Key]result[T]
	running map[Key]chan struct{} // closed when the computation ends
}

type result[T any] struct {
	value T
	err   error
}

// New returns a Memo that stores its results in a table, and keeps at most limit of them in memory.
func New[T any](stored *Table, limit int) *Memo[T] {
	return &Memo[T]{stored: stored, limit: limit, known: map[Key]result[T]{}, running: map[Key]chan struct{}{}}
}

// Get returns the result of finish, which gets that of first, from the cache if possible. If another goroutine computes
// it, Get waits.
func (m *Memo[T]) Get(
	ctx context.Context, key Key, first func(context.Context) ([]byte, error), finish func([]byte) (T, error),
) (T, error) {
	for {
		m.mu.Lock()
		r, known := m.known[key]
		other := m.running[key]
		if !known && other == nil {
			m.running[key] = make(chan struct{})
		}
		m.mu.Unlock()
		switch {
		case known:
			return r.value, r.err
		case other == nil:
			return m.compute(ctx, key, first, finish)
		}
		select {
		case <-other: // perhaps without a result
		case <-ctx.Done():
			return r.value, ctx.Err()
		}
	}
}

// compute computes a result that no other goroutine computes.
func (m *Memo[T]) compute(
	ctx context.Context, key Key, first func(context.Context) ([]byte, error), finish func([]byte) (T, error),
) (T, error) {
	defer func() {
		m.mu.Lock()
		close(m.running[key])
		delete(m.running, key)
		m.mu.Unlock()
	}()
	var r result[T]
	data, stored := m.stored.Get(key)
	if !stored {
		if data, r.err = first(ctx); r.err != nil && ctx.Err() != nil {
			return r.value, ctx.Err()
		}
	}
	if r.err == nil {
		r.value, r.err = finish(data)
		if !stored {
			m.stored.Put(key, data)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.known) >= m.limit {
		clear(m.known)
	}
	m.known[key] = r
	return r.value, r.err
}

// Known reports whether the result is cached, so that Get need not run the first step.
func (m *Memo[T]) Known(key Key) bool {
	m.mu.Lock()
	_, known := m.known[key]
	m.mu.Unlock()
	if !known {
		_, known = m.stored.Get(key)
	}
	return known
}
