package pyenv

import (
	"maps"
	"slices"
)

// Find lists the environments of this machine: its own Python, those of
// gpudocs.toml, and those that conda, mamba, micromamba and pixi keep. root is
// the site's folder.
func Find(root string, configured map[string]Spec) []Python {
	found := []Python{Resolve("", Spec{}, root)}
	for _, name := range slices.Sorted(maps.Keys(configured)) {
		found = append(found, Resolve(name, configured[name], root))
	}
	for _, e := range condaEnvs(root) {
		found = append(found, resolveConda(e.name, e.prefix, root))
	}
	return found
}
