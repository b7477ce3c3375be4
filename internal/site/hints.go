package site

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// KnownNames are names that can be suggested in place of a wrong one. They are folded once, because
// a vault can have many thousands of names, and as many broken links.
type KnownNames struct{ names, folded []string }

// Add adds a name.
func (k *KnownNames) Add(name string) {
	k.names, k.folded = append(k.names, name), append(k.folded, FoldName(name))
}

// FoldName maps names to the same text if they differ only in case or in the Unicode form of their
// accents.
func FoldName(name string) string { return strings.ToLower(norm.NFC.String(name)) }

// Suggest returns a hint with the most similar name, ignoring case, or otherwise if there is none.
func (k KnownNames) Suggest(name string, otherwise diag.Text) diag.Text {
	if i := diag.NearestIndex(FoldName(name), k.folded); i >= 0 {
		return diag.Say("links.near-file-hint", "here", k.names[i])
	}
	return otherwise
}

// ShortList joins the first few texts and counts the rest.
func ShortList(what []diag.Text) diag.Text {
	const shown = 5
	if len(what) > shown {
		what = append(slices.Clone(what[:shown]), diag.Say("diag.and-more", "what", len(what)-shown))
	}
	return diag.Join(what, ", ")
}

// KernelHint is the hint for an invalid name of a kernel.
var KernelHint = diag.Say("blocks.kernel-name-invalid-hint")

// NameHint is the hint for an invalid name of a block or session.
var NameHint = diag.Say("blocks.name-characters-hint")

// TimeoutHint is the hint for an invalid time limit.
var TimeoutHint = diag.Say("config.time-limit-hint")

// RetriesHint is the hint for an invalid number of retries.
var RetriesHint = diag.Say("config.retries-hint", "most", MaxRetries)

// DialectHint returns the hint for the unknown name of a dialect.
func DialectHint(name string) diag.Text {
	return diag.Known(name, markdown.DialectNames())
}

// ReservedNameMessage returns the diagnostic text for a class or an id that authors cannot use.
func ReservedNameMessage(attribute, name string) diag.Text {
	if attribute == "class" {
		return diag.Say("page.class-reserved", "name", name)
	}
	return diag.Say("page.id-reserved", "name", name)
}

// InvisibleDiag reports an invisible character, which is written between two offsets of a file.
func InvisibleDiag(file *diag.File, severity diag.Severity, f invisible.Find, start, end int) diag.Diagnostic {
	code := fmt.Sprintf("U+%04X", f.Rune)
	message := diag.Say("page.invisible-character", "code", code).WithHint(diag.Say("page.invisible-character-remove-hint"))
	switch f.Kind {
	case invisible.Acts:
		message = diag.Say("page.control-character", "code", code).WithHint(diag.Say("page.control-character-remove-hint"))
	case invisible.Turns:
		message = diag.Say("page.bidi-character", "code", code).WithHint(diag.Say("page.bidi-remove-hint"))
	}
	return file.At(severity, start, end, message).WithRule(RuleHidden)
}
