package trust

import (
	"bytes"
	"errors"
	"io/fs"
	"regexp"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// Signers are those whose signatures count.
type Signers struct{ entries []signer }

// A signer is one line of the file.
type signer struct {
	principals string
	key        []byte // in wire form
	namespaces string // a pattern list, empty for all
	// after and before bound the time at which the key may sign.
	after, before time.Time
}

// maxSigners bounds the file, in bytes.
const maxSigners = 1 << 20

// ReadSigners reads the file of that name; see [ParseSigners].
func ReadSigners(fsys fs.FS, name string) (*Signers, diag.List) {
	data, err := readFile(fsys, name, maxSigners)
	if err != nil {
		d := diag.Unreadable(name, err)
		if errors.Is(err, fs.ErrNotExist) {
			d.Message, d.Hint = diag.Say("there is no such file"), diag.Say("[trust] allowed_signers of gpudocs.toml names it: make it, with a line for each signer")
		}
		return &Signers{}, diag.List{d}
	}
	return ParseSigners(name, data)
}

// ParseSigners reads a file in the form of OpenSSH's allowed_signers, which
// ssh-keygen(1) describes:
//
//	lab@ufabc namespaces="gpudocs-report" ssh-ed25519 AAAAC3Nz...
//	old@ufabc valid-before="20260101Z" ssh-rsa AAAAB3Nz...
//
// Certificate authorities are not supported, since a signature holds no time
// that a certificate's end could be held against; their lines warn and are left
// out. Times without a Z are UTC here, so that the same report is judged alike
// on every machine.
func ParseSigners(name string, data []byte) (*Signers, diag.List) {
	s := &Signers{}
	var diags diag.List
	if len(data) > maxSigners {
		diags.Add(diag.Diagnostic{File: name, Message: diag.Say("the file is larger than %d MiB", maxSigners>>20), Hint: diag.Say("it lists one key a line")})
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

// A signerLine is a line and where it begins in its file.
type signerLine struct {
	file *diag.File
	at   int
	text string
}

var formHint = diag.Say(`a line is: PRINCIPAL ssh-ed25519 AAAA..., with namespaces="gpudocs-report" before the key if it is for reports alone`)

// fault reports a part of the line, which begins at the offset given.
func (l signerLine) fault(s diag.Severity, from int, part string, message, hint diag.Text) diag.List {
	return diag.List{l.file.At(s, l.at+from, l.at+from+len(part), message, hint)}
}

// parse returns nil for a line that lists nobody.
func (l signerLine) parse() (*signer, diag.List) {
	start := len(l.text) - len(strings.TrimLeft(l.text, " \t"))
	text := l.text[start:]
	if text == "" || text[0] == '#' {
		return nil, nil
	}
	principals, rest := cutPrincipals(text)
	keyAt := len(l.text) - len(rest)
	if principals == "" || rest == "" {
		return nil, l.fault(diag.Error, start, text, diag.Say("a signer without a key"), formHint)
	}
	key, _, options, _, err := ssh.ParseAuthorizedKey([]byte(rest))
	if err != nil {
		return nil, l.fault(diag.Error, keyAt, rest, diag.Say("no key that could be read"), formHint)
	}
	if why := unusable(key); !why.IsZero() {
		return nil, l.fault(diag.Error, keyAt, rest, why, diag.Say("list an ed25519, ECDSA or RSA key"))
	}
	e := &signer{principals: principals, key: key.Marshal()}
	for _, o := range options {
		from := keyAt + max(0, strings.Index(rest, o))
		if strings.EqualFold(o, "cert-authority") {
			return nil, l.fault(diag.Warning, from, o, diag.Say("certificate authorities are not supported; this line is not used"), diag.Say("list the signers' own keys"))
		}
		if err := e.option(o); err != nil {
			return nil, l.fault(diag.Error, from, o, diag.Say("%s", err), diag.Say(`the options are namespaces="...", valid-after="YYYYMMDDZ" and valid-before="YYYYMMDDZ"`))
		}
	}
	if !e.after.IsZero() && !e.before.IsZero() && !e.after.Before(e.before) {
		return nil, l.fault(diag.Error, keyAt, rest, diag.Say("this key is valid at no time"), diag.Say("valid-after must be before valid-before"))
	}
	return e, nil
}

// cutPrincipals takes the first word off a line; it may stand in quotes.
func cutPrincipals(s string) (principals, rest string) {
	if quoted, ok := strings.CutPrefix(s, `"`); ok {
		principals, rest, ok = strings.Cut(quoted, `"`)
		if !ok {
			return "", ""
		}
	} else if i := strings.IndexAny(s, " \t"); i >= 0 {
		principals, rest = s[:i], s[i:]
	}
	return principals, strings.TrimLeft(rest, " \t")
}

// unusable tells why a key cannot be one of a signer, or is empty.
func unusable(key ssh.PublicKey) diag.Text {
	switch _, isCertificate := key.(*ssh.Certificate); {
	case isCertificate:
		return diag.Say("a certificate, not a key")
	case key.Type() == "ssh-dss":
		return diag.Say("a DSA key, which OpenSSH does not accept any more")
	}
	return diag.Text{}
}

func (e *signer) option(o string) (err error) {
	name, value, _ := strings.Cut(o, "=")
	text, ok := strings.CutPrefix(value, `"`)
	text, closed := strings.CutSuffix(text, `"`)
	if !ok || !closed {
		return diag.Say("unknown option %q", o)
	}
	switch strings.ToLower(name) {
	case "namespaces":
		if e.namespaces != "" || text == "" {
			return diag.Say("namespaces must stand once, and name some")
		}
		e.namespaces = text
	case "valid-after":
		e.after, err = parseTime(text, e.after)
	case "valid-before":
		e.before, err = parseTime(text, e.before)
	default:
		return diag.Say("unknown option %q", name)
	}
	return err
}

// parseTime reads a time as OpenSSH writes it.
func parseTime(s string, had time.Time) (time.Time, error) {
	if !had.IsZero() {
		return had, diag.Say("this option must stand once")
	}
	digits := strings.TrimSuffix(s, "Z")
	for _, layout := range []string{"20060102", "200601021504", "20060102150405"} {
		if len(digits) != len(layout) {
			continue
		}
		if t, err := time.Parse(layout, digits); err == nil {
			return t, nil
		}
	}
	return time.Time{}, diag.Say("%q is not a time: write YYYYMMDDZ or YYYYMMDDHHMMSSZ", s)
}

// find returns the principals of the first line whose key may sign reports at
// that time, else why there is none.
func (s *Signers) find(key ssh.PublicKey, at time.Time) (principals string, why diag.Text) {
	if _, ok := key.(*ssh.Certificate); ok {
		return "", diag.Say("it is made with a certificate, which gpudocs does not support")
	}
	why = diag.Say("the site does not list the key %s", ssh.FingerprintSHA256(key))
	if s == nil {
		return "", why
	}
	wire := key.Marshal()
	for _, e := range s.entries {
		if !bytes.Equal(e.key, wire) {
			continue
		}
		if why = e.refuses(at); why.IsZero() {
			return e.principals, diag.Text{}
		}
	}
	return "", why
}

// Refuses tells why a report that is signed with the key at that time would
// not count as signed, or is empty.
func (s *Signers) Refuses(key ssh.PublicKey, at time.Time) (why diag.Text) {
	_, why = s.find(key, at)
	return why
}

// refuses tells why a signature of the signer's key does not count, or is empty.
func (e signer) refuses(at time.Time) diag.Text {
	day := at.UTC().Format(time.RFC3339)
	switch {
	case e.namespaces != "" && !matchList(e.namespaces, Namespace):
		return diag.Say("the key of %s may sign %q alone, not %q", e.principals, e.namespaces, Namespace)
	case !e.after.IsZero() && at.Before(e.after):
		return diag.Say("the key of %s is valid from %s on, not at %s", e.principals, e.after.Format(time.RFC3339), day)
	case !e.before.IsZero() && at.After(e.before):
		return diag.Say("the key of %s was valid until %s, not at %s", e.principals, e.before.Format(time.RFC3339), day)
	}
	return diag.Text{}
}

// matchList matches OpenSSH's pattern lists: parts with * and ?, of which one
// must match, and none that begins with ! may.
func matchList(list, s string) bool {
	found := false
	for part := range strings.SplitSeq(list, ",") {
		pattern, negated := strings.CutPrefix(part, "!")
		expr := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
		re, err := regexp.Compile(`(?s)^` + expr + `$`)
		if err != nil || !re.MatchString(s) { // what is no UTF-8 is no pattern for us
			continue
		}
		if negated {
			return false
		}
		found = true
	}
	return found
}
