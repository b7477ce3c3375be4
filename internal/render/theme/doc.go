// Package theme reads themes.
//
// A theme is a folder of a site, themes/NAME. File by file, it overrides the themes that it extends
// and the default theme: layouts/ has templates, assets/ what is published, i18n/ texts, and
// theme.toml facts about the theme:
//
//	description = "The lab's colours"     # name, licence too; for gpudocs theme list
//	gpudocs = "0.1"                       # the oldest gpudocs that can read it
//	extends = "lab"                       # another folder of themes/, which lies below it
//
//	[colours.light]                       # variables of the default theme's style
//	accent = "#7a1f5c"
//
//	[colours.dark]
//	accent = "#f0a8d8"
//
//	[params]                              # {{.Site.Params.contact}}; [params] of gpudocs.toml goes before
//	contact = "lab@example.org"
//
// That file is optional. [Open] reads it and finds the folders, [Theme.Over] lays them over one
// another (layers.go), and [Cache.Compile] reads and checks their files (compiled.go, check.go, fault.go,
// assets.go).
// The views are the data of templates; docs/content/en/themes.md documents them.
package theme
