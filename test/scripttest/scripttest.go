// Package scripttest runs parts of the theme's scripts in tests, without a browser.
package scripttest

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"modernc.org/quickjs"

	"github.com/gpudocs/gpudocs/themes"
)

// A VM is an interpreter. Code that fails ends the test.
type VM struct {
	testing.TB
	*quickjs.VM
}

// New returns an interpreter in which there is a gpudocs without members.
func New(t testing.TB) VM {
	t.Helper()
	vm, err := quickjs.NewVM()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = vm.Close() })
	v := VM{t, vm}
	v.Run("var gpudocs = {};")
	return v
}

// Load runs parts of a script of the default theme, without the ".js".
func (v VM) Load(script string, parts ...string) {
	v.Helper()
	for _, part := range parts {
		source, err := fs.ReadFile(themes.Default(), "assets/"+script+"/"+part+".js")
		if err != nil {
			v.Fatal(err)
		}
		v.Run(string(source))
	}
}

// Run runs code.
func (v VM) Run(code string) {
	v.Helper()
	if _, err := v.Eval(code, quickjs.EvalGlobal); err != nil {
		v.Fatalf("%v in %.200s", err, code)
	}
}

// Call runs the body of a function whose parameters are a, b, ..., and decodes what it returns.
func (v VM) Call(result any, body string, arguments ...any) {
	v.Helper()
	values, err := json.Marshal(arguments)
	if err != nil {
		v.Fatal(err)
	}
	names := strings.Split("abcdefghij"[:len(arguments)], "")
	code := "JSON.stringify((function (" + strings.Join(names, ", ") + ") { " + body + " })(..." + string(values) + "))"
	if len(arguments) == 0 {
		code = "JSON.stringify((function () { " + body + " })())"
	}
	found, err := v.Eval(code, quickjs.EvalGlobal)
	if err != nil {
		v.Fatalf("%v in %.200s", err, body)
	}
	if text, _ := found.(string); json.Unmarshal([]byte(text), result) != nil {
		v.Fatalf("%v of %s", found, body)
	}
}

// Func makes a function of Go one of the script. A nil string is null there.
func (v VM) Func(name string, f any) {
	v.Helper()
	if err := v.RegisterFunc(name, f, false); err != nil {
		v.Fatal(err)
	}
}
