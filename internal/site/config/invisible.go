package config

import (
	"fmt"
	"reflect"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// checkInvisible reports invisible characters in the texts of gpudocs.toml, whether written
// literally or as an escape.
func (c *checker) checkInvisible(file *configFile) {
	text := string(c.file.Data)
	for _, f := range invisible.In(text, false) {
		c.diags.Add(site.InvisibleDiag(c.file, diag.Error, f, f.At, f.At+len(string(f.Rune))))
	}
	inValues := map[rune]invisible.Find{} // \b in 'C:\bin' is not an escape
	eachText(reflect.ValueOf(file), func(s string) {
		for _, f := range invisible.In(s, false) {
			inValues[f.Rune] = f
		}
	})
	for _, m := range escapes.FindAllStringSubmatchIndex(text, -1) {
		r := map[byte]rune{'b': '\b', 'f': '\f', 'e': 0x1b, 'r': '\r'}[text[m[0]+1]]
		if m[3] > m[2] || m[5] > m[4] {
			_, _ = fmt.Sscanf(text[m[0]+2:m[1]], "%x", &r)
		}
		if f, ok := inValues[r]; ok {
			c.diags.Add(site.InvisibleDiag(c.file, diag.Error, f, m[0], m[1]))
		}
	}
}

// escapes matches the escapes in TOML strings that can produce invisible characters.
var escapes = lazyregexp.New(`\\(?:[uU]([0-9A-Fa-f]{8}|[0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|[bfer])`)

// eachText calls use for all texts in a value, including keys.
func eachText(v reflect.Value, use func(string)) {
	switch v.Kind() {
	case reflect.String:
		use(v.String())
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			eachText(v.Elem(), use)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachText(v.Index(i), use)
		}
	case reflect.Map:
		for key, value := range v.Seq2() {
			eachText(key, use)
			eachText(value, use)
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			eachText(field, use)
		}
	}
}
