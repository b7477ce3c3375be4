package diag

// A Fault is an error that the user can mend. Hint says how; it may be empty.
type Fault struct {
	Cause error
	Hint  Text
}

func (f *Fault) Error() string { return f.Cause.Error() }

func (f *Fault) Unwrap() error { return f.Cause }

// Wrong returns a fault.
func Wrong(hint Text, cause error) error { return &Fault{cause, hint} }
