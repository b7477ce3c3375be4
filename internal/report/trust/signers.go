package trust

import (
	"bytes"
	"errors"
	"io/fs"
	"regexp"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Signers are the accepted signers.
type Signers struct{ entries []signer }

// A signer is one line of the file.
type signer struct {
	principals string // a pattern list of machine labels
	key        []byte // in wire form
	namespaces string // a pattern list, empty for all
	// after and before bound the time at which the key may sign.
	after, before time.Time
}

// maxSigners limits the file, in bytes.
const maxSigners = 1 << 20

// ReadSigners reads a file; see [ParseSigners].
func ReadSigners(fsys fs.FS, name string) (*Signers, diag.List) {
	data, err := report.ReadRegular(fsys, name, maxSigners)
	if err != nil {
		d := diag.Unreadable(name, err)
		if errors.Is(err, fs.ErrNotExist) {
			d.Message, d.Hint = diag.Say("report.file-missing"), diag.Say("report.signers-missing-hint")
		}
		return &Signers{}, diag.List{d}
	}
	return ParseSigners(name, data)
}

// ParseSigners parses a file in the format of OpenSSH's allowed_signers, which
// ssh-keygen(1) describes. The principals are the labels of the machines whose
// reports the key may sign, as a pattern list:
//
//	deepnine namespaces="gpudocs-report" ssh-ed25519 AAAAC3Nz...
//	lab-*,!lab-guest ssh-ed25519 AAAAC3Nz...
//	* valid-before="20260101Z" ssh-rsa AAAAB3Nz...
//
// A line whose principals match no label gets a warning.
//
// Certificate authorities are not supported, because a signature has no time that could
// be compared with the end of a certificate. Their lines get a warning and are ignored.
// Times without a Z are UTC here, so that the result is the same on every machine.
func ParseSigners(name string, data []byte) (*Signers, diag.List) {
	s := &Signers{}
	var diags diag.List
	if len(data) > maxSigners {
		diags.Add(diag.About(diag.Error, name, diag.Say("report.signers-too-large", "most", maxSigners>>20)))
		return s, diags
	}
	f := diag.NewFile(name, data)
	at := 0
	for line := range bytes.Lines(data) {
		l := signerLine{f, at, strings.TrimRight(string(line), "\r\n")}
		at += len(line)
		e, d := l.parse()
		if e != nil {
			s.entries = append(s.entries, *e)
		}
		diags.Add(d...)
	}
	return s, diags
}

// A signerLine is a line with its offset in the file.
type signerLine struct {
	file *diag.File
	at   int
	text string
}

var formHint = diag.Say("report.signers-line-hint")

// fault reports a part of the line, which begins at the offset given.
func (l signerLine) fault(s diag.Severity, from int, part string, message diag.Text) diag.List {
	return diag.List{l.file.At(s, l.at+from, l.at+from+len(part), message)}
}

// parse returns nil for a line without a signer.
func (l signerLine) parse() (*signer, diag.List) {
	start := len(l.text) - len(strings.TrimLeft(l.text, " \t"))
	text := l.text[start:]
	if text == "" || text[0] == '#' {
		return nil, nil
	}
	principals, rest := cutPrincipals(text)
	keyAt := len(l.text) - len(rest)
	if principals == "" || rest == "" {
		return nil, l.fault(diag.Error, start, text, diag.Say("report.signers-key-missing").WithHint(formHint))
	}
	key, _, options, _, err := ssh.ParseAuthorizedKey([]byte(rest))
	if err != nil {
		return nil, l.fault(diag.Error, keyAt, rest, diag.Say("report.key-unreadable").WithHint(formHint))
	}
	if why := unusable(key); !why.IsZero() {
		return nil, l.fault(diag.Error, keyAt, rest, why.WithHint(diag.Say("report.signers-key-types-hint")))
	}
	e := &signer{principals: principals, key: key.Marshal()}
	for _, o := range options {
		from := keyAt + max(0, strings.Index(rest, o))
		if strings.EqualFold(o, "cert-authority") {
			return nil, l.fault(diag.Warning, from, o, diag.Say("report.signers-authority"))
		}
		if err := e.option(o); err != nil {
			return nil, l.fault(diag.Error, from, o, diag.Plain(err).WithHint(diag.Say("report.signers-options-hint")))
		}
	}
	if !e.after.IsZero() && !e.before.IsZero() && !e.after.Before(e.before) {
		return nil, l.fault(diag.Error, keyAt, rest, diag.Say("report.signers-validity-empty"))
	}
	if e.signsReports() && !matchesSomeLabel(principals) {
		return e, l.fault(diag.Warning, start, strings.TrimRight(text[:len(text)-len(rest)], blanks),
			diag.Say("report.signers-match-no-machine", "principals", principals))
	}
	return e, nil
}

const blanks = " \t\r"

// cutPrincipals cuts off the first word of a line as OpenSSH does: a quote in or before
// the word begins its last part, which ends at the next quote and may contain blanks.
func cutPrincipals(s string) (principals, rest string) {
	i := strings.IndexAny(s, blanks+`"`)
	if i < 0 {
		return "", ""
	}
	principals, rest = s[:i], s[i+1:]
	if s[i] == '"' {
		quoted, after, closed := strings.Cut(rest, `"`)
		if !closed {
			return "", ""
		}
		principals, rest = principals+quoted, after
	}
	return principals, strings.TrimLeft(rest, blanks)
}

// labelPattern matches what a label can match; see [report.CheckName].
var labelPattern = regexp.MustCompile(`^[a-z0-9._*?-]+$`)

// matchesSomeLabel reports whether a pattern list can match a machine's label.
// It ignores negated parts.
func matchesSomeLabel(list string) bool {
	for part := range strings.SplitSeq(list, ",") {
		if labelPattern.MatchString(part) {
			return true
		}
	}
	return false
}

// unusable returns why a key cannot be that of a signer, or an empty text.
func unusable(key ssh.PublicKey) diag.Text {
	switch _, isCertificate := key.(*ssh.Certificate); {
	case isCertificate:
		return diag.Say("report.key-is-certificate")
	case key.Type() == "ssh-dss":
		return diag.Say("report.key-is-dsa")
	}
	return diag.Text{}
}

func (e *signer) option(o string) (err error) {
	name, value, _ := strings.Cut(o, "=")
	text, ok := strings.CutPrefix(value, `"`)
	text, closed := strings.CutSuffix(text, `"`)
	// A quote in the value would be its end for OpenSSH.
	if !ok || !closed || strings.Contains(strings.ReplaceAll(text, `\"`, ""), `"`) || strings.HasSuffix(text, `\`) {
		return diag.Say("blocks.option-unknown", "key", o)
	}
	switch strings.ToLower(name) {
	case "namespaces":
		if e.namespaces != "" || text == "" {
			return diag.Say("report.signers-namespaces-invalid")
		}
		e.namespaces = text
	case "valid-after":
		e.after, err = parseTime(text, e.after)
	case "valid-before":
		e.before, err = parseTime(text, e.before)
	default:
		return diag.Say("blocks.option-unknown", "key", name)
	}
	return err
}

// parseTime parses a time in the format of OpenSSH.
func parseTime(s string, had time.Time) (time.Time, error) {
	if !had.IsZero() {
		return had, diag.Say("report.signers-option-duplicate")
	}
	digits := strings.TrimSuffix(s, "Z")
	for _, layout := range []string{"20060102", "200601021504", "20060102150405"} {
		if len(digits) != len(layout) {
			continue
		}
		if t, err := time.Parse(layout, digits); err == nil && t.Unix() > 0 { // as OpenSSH
			return t, nil
		}
	}
	return time.Time{}, diag.Say("report.signers-time-invalid", "name", s)
}

// find returns the verdict on the key of a signature for a machine's report with the newest result
// at that time. Its status is Signed if a line lists the key for that machine, OtherMachine if
// lines list it for other machines only, and Unknown if none does.
func (s *Signers) find(key ssh.PublicKey, machine string, at time.Time) Verdict {
	if _, ok := key.(*ssh.Certificate); ok {
		return Verdict{Status: Unknown, Reason: diag.Say("report.signature-by-certificate"), Hint: listHint}
	}
	v := Verdict{Status: Unknown, Reason: diag.Say("report.signer-unknown", "key", ssh.FingerprintSHA256(key)), Hint: listHint}
	if s == nil {
		return v
	}
	wire := key.Marshal()
	var expired diag.Text
	for _, e := range s.entries {
		switch {
		case !bytes.Equal(e.key, wire):
		case !e.signsReports():
			if v.Status == Unknown {
				v.Reason = diag.Say("report.signer-namespace-refused", "principals", e.principals, "namespaces", e.namespaces, "namespace", Namespace)
			}
		case !matchList(e.principals, machine):
			v = Verdict{Status: OtherMachine, By: e.principals,
				Reason: diag.Say("report.signer-machine-refused", "principals", e.principals, "machine", machine),
				Hint:   diag.Say("report.signers-allow-machine-hint", "principals", e.principals, "machine", machine)}
		default:
			if why := e.expired(at); !why.IsZero() {
				expired = why
				continue
			}
			return Verdict{Status: Signed, By: signerName(e.principals, machine)}
		}
	}
	if !expired.IsZero() { // a better reason than that other lines are for other machines
		return Verdict{Status: Unknown, Reason: expired, Hint: listHint}
	}
	return v
}

var listHint = diag.Say("report.signers-add-key-hint")

// signerName returns the name of a signer for pages: the principals that are not patterns,
// or the machine if all are.
func signerName(principals, machine string) string {
	var names []string
	for part := range strings.SplitSeq(principals, ",") {
		if part != "" && !strings.ContainsAny(part, "*?!") {
			names = append(names, part)
		}
	}
	if names == nil {
		return machine
	}
	return strings.Join(names, ",")
}

// Refuses returns why a report of the machine that is signed with the key at that time
// would not be accepted, or an empty text.
func (s *Signers) Refuses(key ssh.PublicKey, machine string, at time.Time) (why diag.Text) {
	return s.find(key, machine, at).Reason
}

// signsReports reports whether the line is for signatures of reports.
func (e signer) signsReports() bool { return e.namespaces == "" || matchList(e.namespaces, Namespace) }

// expired returns why the key may not sign at that time, or an empty text.
func (e signer) expired(at time.Time) diag.Text {
	day := at.UTC().Format(time.RFC3339)
	switch {
	case !e.after.IsZero() && at.Before(e.after):
		return diag.Say("report.signer-not-yet-valid", "principals", e.principals, "time", e.after.Format(time.RFC3339), "day", day)
	case !e.before.IsZero() && at.After(e.before):
		return diag.Say("report.signer-expired", "principals", e.principals, "time", e.before.Format(time.RFC3339), "day", day)
	}
	return diag.Text{}
}

// maxPattern is the longest part of a pattern list, in bytes. For a list with a longer
// one OpenSSH matches nothing.
const maxPattern = 1022

// matchList reports whether a pattern list of OpenSSH matches: one of its parts with * and
// ? must match, and none of those that begin with !.
func matchList(list, s string) bool {
	found := false
	for part := range strings.SplitSeq(list, ",") {
		pattern, negated := strings.CutPrefix(part, "!")
		switch {
		case len(pattern) > maxPattern:
			return false
		case !matchPattern(pattern, s):
		case negated:
			return false
		default:
			found = true
		}
	}
	return found
}

// matchPattern reports whether a pattern with * and ? matches s. It takes time at most in
// proportion to the product of their lengths, because of several * only the last one is
// tried again.
func matchPattern(pattern, s string) bool {
	p, i := 0, 0
	star, tried := -1, 0 // the last *, and where what follows it was tried last
	for i < len(s) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, tried = p, i
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == s[i]):
			p++
			i++
		case star >= 0:
			tried++
			p, i = star+1, tried
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
