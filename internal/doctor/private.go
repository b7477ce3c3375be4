package doctor

import (
	"regexp"
	"strings"

	"github.com/gpudocs/gpudocs/internal/verify"
)

// private takes out of texts what is nobody's business. Package verify knows
// what of this machine and user that is; here other users are added, and UUIDs as
// short as CUDA_VISIBLE_DEVICES may have them.
type private struct{ scrubber func(string) string }

func newPrivate(root string) *private { return &private{verify.Scrubber(root)} }

var (
	homes = regexp.MustCompile(`/(home|Users)/[^/:\s"',]+`) // on a cluster also below /gpfs or /data
	uuids = regexp.MustCompile(`\b(GPU|MIG)-[0-9A-Fa-f][-/0-9A-Fa-f]*`)
)

func (p *private) scrub(s string) string {
	s = uuids.ReplaceAllString(p.scrubber(s), "$1-<uuid>")
	return homes.ReplaceAllString(s, "/$1/<user>")
}

// maxValue bounds the value of a variable, in bytes.
const maxValue = 1000

// without takes out what is private.
func (c CUDA) without(private *private) CUDA {
	c.Library = private.scrub(c.Library)
	for i := range c.Installed {
		c.Installed[i].Path = private.scrub(c.Installed[i].Path)
	}
	for i := range c.Variables {
		v := private.scrub(c.Variables[i].Value)
		c.Variables[i].Value = strings.ToValidUTF8(v[:min(len(v), maxValue)], "")
	}
	return c
}
