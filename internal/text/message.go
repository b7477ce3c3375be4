package text

import (
	"errors"
	"fmt"
	"slices"
)

// A Message is a text in no language yet: a key with arguments. As a string it is English, for programs
// and logs. [Catalog.Say] returns it in the language of the reader.
//
// It is also an error. [errors.Is] and [errors.As] find the errors among its arguments.
type Message struct{ m *message }

type message struct {
	key string
	// args are pairs of a name and a value. Without a key they are values to be joined.
	args      []any
	separator string
	hint      *Message // of [Message.WithHint]
}

// Say makes a message from the key of its text and pairs of an argument's name and value:
//
//	text.Say("links.page-missing", "file", name)
//
// Key and names are constants: a test compares them with the texts of all languages. A
// value is a string, an int, a Message, an error, or anything else that fmt.Sprint prints. It is
// printed at once, because it may change later.
func Say(key string, pairs ...any) Message {
	args := slices.Clone(pairs)
	for i := 1; i < len(args); i += 2 {
		args[i] = fixed(args[i])
	}
	return Message{&message{key: key, args: args}}
}

// Plain makes a message of something that is the same in every language, such as a name, or of an
// error. One that is a message stays that.
func Plain(value any) Message {
	if m, is := value.(Message); is {
		return m
	}
	return Message{&message{args: []any{fixed(value)}}}
}

// Join makes one message of several.
func Join(list []Message, separator string) Message {
	m := &message{separator: separator}
	for _, part := range list {
		m.args = append(m.args, part)
	}
	return Message{m}
}

// hintEnding ends the key of the hint that belongs to a message.
const hintEnding = "-hint"

// Hint returns how to mend what the message says: the hint of [Message.WithHint], or else the text of the catalog
// that has the key of the message with "-hint" after it, with the same arguments. That of [Plain] is that of the error. It
// is empty if there is none.
func (m Message) Hint() Message {
	switch {
	case m.m == nil:
		return Message{}
	case m.m.hint != nil:
		return *m.m.hint
	case m.m.key == "":
		cause, _ := errors.AsType[Message](errors.Join(m.Unwrap()...))
		return cause.Hint()
	}
	key := m.m.key + hintEnding
	if _, _, found := english().tables().find(key); !found {
		return Message{}
	}
	return Message{&message{key: key, args: m.m.args}}
}

// WithHint returns the message with another hint than its own.
func (m Message) WithHint(hint Message) Message {
	with := message{hint: &hint}
	if m.m != nil {
		with = *m.m
		with.hint = &hint
	}
	return Message{&with}
}

// fixed returns a value that does not change later.
func fixed(v any) any {
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

// Key returns the key of the text. It is empty for messages of [Plain] and [Join].
func (m Message) Key() string {
	if m.m == nil {
		return ""
	}
	return m.m.key
}

// In returns the message in the language of a catalog.
func (m Message) In(c Catalog) string { return c.Say(m) }

// String returns the message in English.
func (m Message) String() string { return english().Say(m) }

func (m Message) Error() string { return m.String() }

// MarshalText writes the message in English.
func (m Message) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// IsZero reports whether the message is empty.
func (m Message) IsZero() bool { return m.Key() == "" && m.String() == "" }

// Equal reports whether two messages are the same in English.
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
