package doctor

import (
	"regexp"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report/reason"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// A redactor redacts private facts. Package verify knows those of this machine and
// user; this adds other users, and UUIDs as short as CUDA_VISIBLE_DEVICES allows.
type redactor func(string) string

func newRedactor(root string) redactor {
	redact := verify.Redactor(root)
	return func(s string) string {
		s = uuids.ReplaceAllString(redact(s), "$1-<uuid>")
		return homes.ReplaceAllString(s, "/$1/<user>")
	}
}

var (
	homes = regexp.MustCompile(`/(home|Users)/[^/:\s"',]+`) // on a cluster also below /gpfs or /data
	uuids = regexp.MustCompile(`\b(GPU|MIG)-[0-9A-Fa-f][-/0-9A-Fa-f]*`)
)

// maxValue limits the value of a variable, in bytes.
const maxValue = 1000

func (redact redactor) cuda(c *CUDA) {
	c.Library = redact(c.Library)
	for i := range c.Installed {
		c.Installed[i].Path = redact(c.Installed[i].Path)
	}
	for i := range c.Variables {
		v := redact(c.Variables[i].Value)
		c.Variables[i].Value = strings.ToValidUTF8(v[:min(len(v), maxValue)], "")
	}
}

func (redact redactor) pythons(all []Python) {
	for i := range all {
		p := &all[i]
		p.Path, p.Failed = redact(p.Path), redact(p.Failed)
		if p.lacks != nil {
			p.lacks = p.lacks.Redacted(redact)
			p.Missing = reason.Lack(text.Catalog{}, p.lacks)
		}
	}
}
