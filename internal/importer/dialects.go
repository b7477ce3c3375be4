package importer

// dialects turns what the dialects of the page have written.
func (p *page) dialects() {}
