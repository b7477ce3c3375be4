package diag

import "github.com/gpudocs/gpudocs/internal/text"

// A Text is a message or a hint of a diagnostic. It is English for programs, logs and reports. A
// [text.Catalog] translates it for the reader.
type Text = text.Message

// Say is [text.Say].
func Say(key string, pairs ...any) Text { return text.Say(key, pairs...) }

// Plain is [text.Plain].
func Plain(value any) Text { return text.Plain(value) }

// Join is [text.Join].
func Join(list []Text, separator string) Text { return text.Join(list, separator) }
