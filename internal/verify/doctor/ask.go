package doctor

// An answer is the future result of a question.
type answer[T any] struct {
	done  chan struct{}
	value T
}

// ask runs a question in a goroutine.
func ask[T any](question func() T) *answer[T] {
	a := &answer[T]{done: make(chan struct{})}
	go func() {
		defer close(a.done)
		a.value = question()
	}()
	return a
}

// wait returns the answer when it is there.
func (a *answer[T]) wait() T {
	<-a.done
	return a.value
}
