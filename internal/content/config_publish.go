package content

// Outputs are what a site publishes beside its pages.
type Outputs struct {
	// Search is the index of the pages' texts, and the button for it.
	Search bool
	// Print is the page with all pages of a section.
	Print bool
	// Markdown is each page in Markdown, and the lists of them for programs.
	Markdown bool
	// Cards are the pictures that stand beside links to pages elsewhere.
	Cards bool
	// Feeds are the results as JSON, and what has changed, as Atom.
	Feeds bool
	// Badges are results as pictures for other sites.
	Badges bool
}

// publishFile is [publish] of gpudocs.toml: what a site leaves out. All is published that it does not name.
type publishFile struct {
	Search   *bool `toml:"search"`
	Print    *bool `toml:"print"`
	Markdown *bool `toml:"markdown"`
	Cards    *bool `toml:"cards"`
	Feeds    *bool `toml:"feeds"`
	Badges   *bool `toml:"badges"`
}

func (p publishFile) leftOut() Outputs {
	off := func(key *bool) bool { return key != nil && !*key }
	return Outputs{Search: off(p.Search), Print: off(p.Print), Markdown: off(p.Markdown), Cards: off(p.Cards), Feeds: off(p.Feeds), Badges: off(p.Badges)}
}
