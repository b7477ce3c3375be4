package cuda

import (
	"bytes"
	"reflect"
	"strings"
	"unsafe"
)

// bind sets the fields of a struct to the functions of the library. The names of each
// function are in the tag of its field, the preferred one first: cuMemAlloc has a 32-bit
// argument, and cuMemAlloc_v2 is what cuda.h calls cuMemAlloc. The field of a missing
// function gets one that returns absent, because it does not matter until it is called.
func (l library) bind(absent int64, functions any) {
	for field, value := range reflect.ValueOf(functions).Elem().Fields() {
		if address := l.firstSymbol(strings.Split(field.Tag.Get("c"), ",")); address != 0 {
			register(value.Addr().Interface(), address)
			continue
		}
		answer := reflect.New(field.Type.Out(0)).Elem()
		answer.SetInt(absent)
		value.Set(reflect.MakeFunc(field.Type, func([]reflect.Value) []reflect.Value { return []reflect.Value{answer} }))
	}
}

// firstSymbol returns the address of the first function that the library has, or 0.
func (l library) firstSymbol(names []string) uintptr {
	for _, name := range names {
		if address := l.symbol(name); address != 0 {
			return address
		}
	}
	return 0
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
