package memo

import "strings"

// A Trace records what a file was made of, so that a later build can find out whether it would be the
// same again.
type Trace struct {
	// Key is the hash of all inputs, or zero if they are not known: such a file is always made
	// again.
	Key Key
	// Facts are the names of the facts of the site that were looked up while the file was made. Their
	// hashes are part of Key.
	Facts []string
}

// FolderKey returns the key that all files of a folder have if they are made together.
func FolderKey(folder string, key Key) Key { return KeyOf("folder", folder, key) }

// Traces are the traces of files by name.
type Traces map[string]Trace

// InFolder returns the names of the files below a folder if they were made together with this key, or
// else nil. It looks at all traces.
func (t Traces) InFolder(folder string, key Key) (names []string) {
	want := FolderKey(folder, key)
	for name, trace := range t {
		if strings.HasPrefix(name, folder) {
			if trace.Key != want {
				return nil
			}
			names = append(names, name)
		}
	}
	return names
}
