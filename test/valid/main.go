// Command valid validates a JSON file by a JSON schema, which may refer to others beside it:
//
//	valid SCHEMA FILE
//
// The scripts in internal/cli/testdata start it. Its packages take a fifth of the time in which gpudocs starts, and
// the tests of the command line start that two thousand times.
package main

import (
	"fmt"
	"os"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: valid SCHEMA FILE")
		os.Exit(2)
	}
	if err := validate(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func validate(schema, file string) error {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	s, err := c.Compile(schema)
	if err != nil {
		return err
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	value, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		return err
	}
	return s.Validate(value)
}
