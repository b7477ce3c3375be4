package recipe

import "github.com/gpudocs/gpudocs/internal/report/ask"

// builtin are the recipes of every site. Compilers are those of the variables that modules of
// clusters set.
var builtin = table(
	Recipe{
		Name: "cuda", Languages: []string{"cuda", "cu"}, File: "{name}.cu", Needs: gpu,
		Build: "${NVCC:-nvcc} -o {name} {file} {flags}", Run: "./{name}", Flags: "-O2",
	},
	Recipe{
		Name: "c", Languages: []string{"c"}, File: "{name}.c",
		Build: "${CC:-gcc} -o {name} {file} {flags} -lm", Run: "./{name}", Flags: "-O2",
	},
	Recipe{
		Name: "cpp", Languages: []string{"cpp", "c++", "cc", "cxx"}, File: "{name}.cpp",
		Build: "${CXX:-g++} -o {name} {file} {flags}", Run: "./{name}", Flags: "-O2",
	},
	Recipe{
		Name: "fortran", Languages: []string{"fortran", "f90", "f95", "f03", "f08"}, File: "{name}.f90",
		Build: "${FC:-gfortran} -o {name} {file} {flags}", Run: "./{name}", Flags: "-O2",
	},
	Recipe{
		Name: "rust", Languages: []string{"rust", "rs"}, File: "{name}.rs",
		Build: "rustc -o {name} {file} {flags}", Run: "./{name}", Flags: "-O --edition 2021",
	},
	Recipe{
		Name: "go", Languages: []string{"go", "golang"}, File: "{name}.go",
		// In a sandbox the cache folder is read-only, and go fails if it does not exist.
		Build: `mkdir -p "$(go env GOCACHE)" 2>/dev/null || export GOCACHE="$TMPDIR/go-build"; go build -o {name} {flags} {file}`,
		Run:   "./{name}", Version: "go version",
	},
	Recipe{Name: "julia", Languages: []string{"julia", "jl"}, File: "{name}.jl", Run: "julia --startup-file=no {flags} {file}"},
	Recipe{Name: "r", Languages: []string{"r"}, File: "{name}.R", Run: "Rscript {flags} {file}"},
	Recipe{Name: "octave", Languages: []string{"octave"}, File: "{name}.m", Run: "octave --no-gui --quiet --norc {flags} {file}"},
	Recipe{Name: "javascript", Languages: []string{"javascript", "js", "node"}, File: "{name}.js", Run: "node {flags} {file}"},
	Recipe{Name: "java", Languages: []string{"java"}, File: "{name}.java", Run: "java {flags} {file}"},
)

var gpu = func() ask.Expr {
	e, err := ask.Parse("gpus >= 1")
	if err != nil {
		panic(err)
	}
	return e
}()

func table(list ...Recipe) Table {
	t := Table{}
	for i := range list {
		t[list[i].Name] = &list[i]
	}
	return t
}
