//go:build !unix

package session

import (
	"context"
	"errors"
)

// A Session is one interpreter that runs steps; here there is none.
type Session struct{}

// Start fails: FIFOs and process groups are Unix.
func Start(context.Context, Options) (*Session, error) {
	return nil, errors.New("verify runs snippets on Linux and macOS only")
}

// Run is never reached, as Start gives no session.
func (*Session) Run(context.Context, Step) (Result, error) { return Result{}, ErrEnded }

// Close does nothing.
func (*Session) Close() error { return nil }

// A Scratch is a folder for one session.
type Scratch struct{ Dir string }

// NewScratch fails, as there is no session for it.
func NewScratch() (*Scratch, error) {
	return nil, errors.New("verify runs snippets on Linux and macOS only")
}

// Remove does nothing.
func (*Scratch) Remove() error { return nil }

// SweepLeftovers does nothing.
func SweepLeftovers() error { return nil }
