//go:build !unix

package session

import (
	"context"
	"errors"
	"os"
)

// A Session is not available on this system.
type Session struct{}

// Start fails: sessions need FIFOs and process groups.
func Start(context.Context, Command) (*Session, error) {
	return nil, errors.New("verify runs snippets on Linux and macOS only")
}

// Run is never called, because Start fails.
func (*Session) Run(context.Context, Step) (Result, error) { return Result{}, ErrEnded }

// Folder is never called, because Start fails.
func (*Session) Folder() *os.Root { return nil }

// Close does nothing.
func (*Session) Close() error { return nil }

// A Scratch is a folder for one session.
type Scratch struct{ Dir string }

// NewScratch fails.
func NewScratch() (*Scratch, error) {
	return nil, errors.New("verify runs snippets on Linux and macOS only")
}

// Remove does nothing.
func (*Scratch) Remove() error { return nil }

// SweepLeftovers does nothing.
func SweepLeftovers() error { return nil }
