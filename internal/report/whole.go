package report

// WriteFile writes a file that appears whole or not at all.
func WriteFile(file string, data []byte) error {
	d, err := newDraft(file, data)
	if err != nil {
		return err
	}
	defer d.discard()
	return d.commit()
}
