package config

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// editionFile is a table of [[editions]] in gpudocs.toml.
type editionFile struct {
	Name  string `toml:"name" doc:"Name of the edition in addresses."`
	Label any    `toml:"label" form:"text|localized" doc:"Name for readers: a text, or one for each language."`
	Ref   string `toml:"ref" doc:"Git tag or branch that the edition is built from."`
	Built string `toml:"built" doc:"Folder of the tag or branch that is published as it was built. Without ref it is one of the current commit."`
}

// inEditions is the place of a key in [[editions]].
const inEditions = `editions\b(?s:.*?)\b`

func (c *checker) editions(file []editionFile) (list []site.Edition) {
	for i, f := range file {
		e := site.Edition{Name: f.Name, Ref: f.Ref, Built: f.Built}
		if key, value, message := e.Complete(); !message.IsZero() {
			c.fault(inEditions+key+`\s*=`, value, message)
			continue
		}
		if slices.ContainsFunc(list, func(other site.Edition) bool { return strings.EqualFold(other.Name, e.Name) }) {
			c.fault(inEditions+`name\s*=(?s:.*)\bname\s*=`, e.Name, diag.Say("config.edition-name-twice", "name", e.Name))
			continue
		}
		if i == site.MaxEditions {
			c.fault(inEditions+`name\s*=`, e.Name, diag.Say("config.editions-too-many", "editions", len(file), "most", site.MaxEditions))
			break
		}
		e.At = c.place(inEditions+`name\s*=`, e.Name)
		if f.Label != nil {
			e.Label = c.localized(f.Label, e.At)
		}
		list = append(list, e)
	}
	return list
}
