package diag

// A Fault is an error that the user can mend. The hint of its message says how, if it has one.
type Fault struct{ Cause error }

func (f *Fault) Error() string { return f.Cause.Error() }

func (f *Fault) Unwrap() error { return f.Cause }

// Wrong returns a fault.
func Wrong(cause error) error { return &Fault{cause} }
