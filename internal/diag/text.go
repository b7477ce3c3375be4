package diag

import (
	"errors"
	"fmt"
	"strings"
)

// A Text is what a diagnostic says: a sentence in English, which programs and
// machines get, and what it was made of, so that a [Catalog] can say it in another
// language. It is an error, too, for those that a reader of files returns.
type Text struct {
	english, format string
	args            []any
}

// Say makes a text. The format is a constant: catalogs know texts by it. An argument
// may be a Text itself, or an error that wraps one and says the same.
func Say(format string, args ...any) Text {
	return Text{fmt.Sprintf(format, args...), format, args}
}

// String is the text in English.
func (t Text) String() string { return t.english }

func (t Text) Error() string { return t.english }

// MarshalText writes the text in English.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.english), nil }

// IsZero tells whether there is no text.
func (t Text) IsZero() bool { return t.english == "" }

// Equal tells whether two texts say the same.
func (t Text) Equal(u Text) bool { return t.english == u.english }

// A Catalog says texts in another language: to the format in English, it has that of
// the language, with indexed verbs where its words stand in another order. What it
// lacks is said in English, and an empty one says all so.
type Catalog map[string]string

// In returns the text in the language of a catalog.
func (t Text) In(c Catalog) string {
	if len(c) == 0 {
		return t.english
	}
	format, ok := c[t.format]
	if !ok {
		format = t.format
	}
	args := make([]any, len(t.args))
	for i, a := range t.args {
		args[i] = a
		var inner Text
		if err, ok := a.(error); ok && errors.As(err, &inner) && inner.english == err.Error() {
			args[i] = inner.In(c)
		}
	}
	return fmt.Sprintf(format, args...)
}

// Join makes one text of several.
func Join(texts []Text, separator string) Text {
	args := make([]any, len(texts))
	for i, t := range texts {
		args[i] = t
	}
	separator = strings.ReplaceAll(separator, "%", "%%")
	return Say(strings.TrimSuffix(strings.Repeat("%s"+separator, len(texts)), separator), args...)
}
