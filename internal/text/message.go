package text

import (
	"fmt"
	"slices"
)

// A Message is a text that has not been worded yet: its key and its arguments. As a string it
// is English, which is what programs and logs get; [Catalog.Say] words it for a reader.
//
// It is also an error. An argument that is an error is its cause, which [errors.Is] and
// [errors.As] find.
type Message struct{ m *message }

type message struct {
	key string
	// args are pairs of a name and a value. Without a key they are values to be joined.
	args      []any
	separator string
}

// Say makes a message from the key of its text and pairs of an argument's name and value:
//
//	text.Say("links.page-missing", "file", name)
//
// Key and names are constants: a test compares them with the texts of all languages. A
// value is a string, an int, a Message, an error, or anything else that fmt.Sprint prints; it is
// printed now, so that nothing that changes later is kept.
func Say(key string, pairs ...any) Message {
	args := slices.Clone(pairs)
	for i := 1; i < len(args); i += 2 {
		args[i] = lasting(args[i])
	}
	return Message{&message{key: key, args: args}}
}

// Plain makes a message of something that is the same in every language, such as a name, or of an
// error. An error that is a message already stays what it is.
func Plain(value any) Message { return Message{&message{args: []any{lasting(value)}}} }

// Join makes one message of several.
func Join(list []Message, separator string) Message {
	m := &message{separator: separator}
	for _, part := range list {
		m.args = append(m.args, part)
	}
	return Message{m}
}

// lasting returns a value that does not change any more.
func lasting(v any) any {
	switch v := v.(type) {
	case string, int, Message, error:
		return v
	}
	return fmt.Sprint(v)
}

// arg returns the argument of that name.
func (m *message) arg(name string) (any, bool) {
	for i := 0; i+1 < len(m.args); i += 2 {
		if m.args[i] == name {
			return m.args[i+1], true
		}
	}
	return nil, false
}

// Key is the key of the text, or empty if the message has none: see [Plain] and [Join].
func (m Message) Key() string {
	if m.m == nil {
		return ""
	}
	return m.m.key
}

// In words the message in the language of a catalog.
func (m Message) In(c Catalog) string { return c.Say(m) }

// String returns the message in English.
func (m Message) String() string { return english().Say(m) }

func (m Message) Error() string { return m.String() }

// MarshalText writes the message in English.
func (m Message) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// IsZero reports whether the message is empty.
func (m Message) IsZero() bool { return m.Key() == "" && m.String() == "" }

// Equal reports whether two messages say the same.
func (m Message) Equal(other Message) bool { return m.String() == other.String() }

// Is reports whether target is a message with the same key, whatever its arguments are.
func (m Message) Is(target error) bool {
	t, ok := target.(Message) //nolint:errorlint // errors.Is unwraps
	return ok && m.Key() != "" && t.Key() == m.Key()
}

// Unwrap returns the errors among the arguments.
func (m Message) Unwrap() (causes []error) {
	if m.m == nil {
		return nil
	}
	for _, a := range m.m.args {
		if err, ok := a.(error); ok {
			causes = append(causes, err)
		}
	}
	return causes
}
