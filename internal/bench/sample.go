package bench

// watch begins to sample the GPU.
func (g *gpu) watch() *watcher { return watch(nil) }
