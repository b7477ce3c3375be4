package cuda

import (
	"bytes"
	"reflect"
	"unsafe"
)

// A function is a function of a C library: a pointer to the variable that calls it, and
// its names, the preferred one first. New versions have new names: cuMemAlloc has a
// 32-bit argument, and cuMemAlloc_v2 is what cuda.h calls cuMemAlloc.
type function struct {
	variable any
	names    []string
}

// bind sets the variables. That of a missing function gets one that returns absent,
// because a missing function does not matter until it is used.
func (l library) bind(absent int64, functions []function) {
	for _, f := range functions {
		if !l.bindFirst(f) {
			v := reflect.ValueOf(f.variable).Elem()
			answer := reflect.New(v.Type().Out(0)).Elem()
			answer.SetInt(absent)
			v.Set(reflect.MakeFunc(v.Type(), func([]reflect.Value) []reflect.Value { return []reflect.Value{answer} }))
		}
	}
}

func (l library) bindFirst(f function) bool {
	for _, name := range f.names {
		if address := l.symbol(name); address != 0 {
			register(f.variable, address)
			return true
		}
	}
	return false
}

// goString copies a text that C owns. It returns "" for nil.
func goString(p *byte) string {
	if p == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}

// cText returns the text at the start of a buffer that C has filled.
func cText(b []byte) string {
	text, _, _ := bytes.Cut(b, []byte{0})
	return string(text)
}
