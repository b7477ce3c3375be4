package content

import "time"

// ConfigFile is the file that makes a folder a site.
const ConfigFile = "gpudocs.toml"

// DefaultTimeout is the time limit of a block that sets none.
const DefaultTimeout = 60 * time.Second

// A Config is the content of gpudocs.toml.
type Config struct {
	Title   string
	BaseURL string
	Theme   string
	// Blocks are the defaults of every block's attributes.
	Blocks Defaults
	Env    map[string]Environment
}

// Defaults are values for attributes that a block does not set itself.
type Defaults struct {
	Session string
	Env     string
	Needs   string
	Timeout time.Duration
}

// An Environment tells which interpreters a block with env= runs in. Exactly
// one of its fields is set.
type Environment struct {
	// Python is the path of an interpreter.
	Python string
	// Conda is the name or the prefix of a conda environment.
	Conda string
}
