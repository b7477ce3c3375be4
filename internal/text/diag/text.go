package diag

import "github.com/gpudocs/gpudocs/internal/text"

// A Text is what a diagnostic says. It is English for programs, logs and reports; a
// [text.Catalog] words it for a reader.
type Text = text.Message

// Say is [text.Say].
func Say(key string, pairs ...any) Text { return text.Say(key, pairs...) }

// Plain is [text.Plain].
func Plain(value any) Text { return text.Plain(value) }

// Join is [text.Join].
func Join(list []Text, separator string) Text { return text.Join(list, separator) }
