// Package config reads gpudocs.toml.
//
// [Read] decodes the file, then a checker validates the values table by table and reports invalid
// ones with their places. The result, [site.Config], also documents the format.
package config
