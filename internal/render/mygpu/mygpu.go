// Package mygpu makes what the script my-gpu.js needs, with which a reader asks whether pages work on a GPU of their own. The
// browser judges: no machine and no server is asked.
//
// The script is a file of its own, which theme.js loads when a reader names a GPU. It begins with the tables of
// internal/report/compat ([Script]). Its other parts, in themes/default/assets/my-gpu.js, are the rules of internal/report/ask
// and internal/report/compat again, in JavaScript. The tests of this package run them in an interpreter, and compare all answers
// with those of the Go packages.
package mygpu

import (
	"encoding/json"

	"github.com/gpudocs/gpudocs/internal/report/compat"
)

// File is the name of the script among the theme's assets.
const File = "my-gpu.js"

// Script returns the first part of the script: the tables.
func Script() []byte {
	data, err := json.Marshal(compat.Tables())
	if err != nil {
		panic(err) // they are texts and numbers
	}
	return []byte("gpudocs.gpu = {tables: " + string(data) + "};\n")
}
