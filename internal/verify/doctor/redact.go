package doctor

import (
	"regexp"
	"strings"

	"github.com/gpudocs/gpudocs/internal/verify"
)

// A redactor redacts private facts. Package verify knows those of this machine and
// user; this adds other users, and UUIDs as short as CUDA_VISIBLE_DEVICES allows.
type redactor struct{ replace func(string) string }

func newRedactor(root string) *redactor { return &redactor{verify.Redactor(root)} }

var (
	homes = regexp.MustCompile(`/(home|Users)/[^/:\s"',]+`) // on a cluster also below /gpfs or /data
	uuids = regexp.MustCompile(`\b(GPU|MIG)-[0-9A-Fa-f][-/0-9A-Fa-f]*`)
)

func (p *redactor) redact(s string) string {
	s = uuids.ReplaceAllString(p.replace(s), "$1-<uuid>")
	return homes.ReplaceAllString(s, "/$1/<user>")
}

// maxValue limits the value of a variable, in bytes.
const maxValue = 1000

// redacted redacts private facts.
func (c CUDA) redacted(r *redactor) CUDA {
	c.Library = r.redact(c.Library)
	for i := range c.Installed {
		c.Installed[i].Path = r.redact(c.Installed[i].Path)
	}
	for i := range c.Variables {
		v := r.redact(c.Variables[i].Value)
		c.Variables[i].Value = strings.ToValidUTF8(v[:min(len(v), maxValue)], "")
	}
	return c
}
