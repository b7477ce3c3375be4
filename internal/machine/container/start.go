package container

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/rand"
	"debug/elf"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
)

// Starts starts a container, and returns why that is not possible: a runtime may be installed and lack its service,
// or what it needs from the kernel. The image holds one program that does nothing, so nothing is downloaded, and
// nothing is left behind. Enroot is not tried, because it changes files that this image does not have.
func Starts(ctx context.Context, name string, h Host) error {
	program := nothing(runtime.GOARCH)
	if runtime.GOOS != "linux" || program == nil || name == Enroot {
		return nil
	}
	dir, err := os.MkdirTemp("", "gpudocs-container-")
	if err != nil {
		return private(err)
	}
	defer os.RemoveAll(dir)
	err = os.Chmod(dir, 0o755)
	for _, folder := range []string{"bin", "dev", "etc", "proc", "sys", "tmp"} { // on which the system's are mounted
		err = errors.Join(err, os.Mkdir(filepath.Join(dir, folder), 0o755))
	}
	if err = errors.Join(err, os.WriteFile(filepath.Join(dir, "bin/sh"), program, 0o755)); err != nil {
		return private(err)
	}
	i := &Image{Runtime: name, program: h.LookPath(name), source: dir, rootfs: name == Podman, env: h.Env, user: "0:0"}
	if name == Docker {
		var archive bytes.Buffer
		w := tar.NewWriter(&archive)
		if err := errors.Join(w.AddFS(os.DirFS(dir)), w.Close()); err != nil {
			return private(err)
		}
		i.source = "gpudocs-starts-" + strings.ToLower(rand.Text())
		a := subprocess.Run(ctx, subprocess.Command{Program: i.program, Args: []string{"import", "-", i.source}, Env: i.env, Dir: "/",
			Limit: askLimit,
			Stdin: archive.Bytes()})
		if a.Err != nil {
			return errors.New(failure(a))
		}
		defer i.ask(context.WithoutCancel(ctx), "rmi", "--force", i.source)
	}
	if a := i.Run(ctx, subprocess.Command{Program: "true"}); a.Err != nil {
		return errors.New(failure(a))
	}
	return nil
}

// nothing returns a program that ends at once with status 0 and needs no library, or nil for an unknown architecture.
func nothing(arch string) []byte {
	// where it is loaded, and where its code is after the two headers
	const address, start = 1 << 22, 64 + 56
	machine, code := elf.EM_X86_64, []byte{0x31, 0xff, 0xb8, 60, 0, 0, 0, 0x0f, 0x05} // xor edi, edi; mov eax, 60; syscall
	switch arch {
	case "amd64":
	case "arm64": // mov x0, 0; mov x8, 93; svc 0
		machine, code = elf.EM_AARCH64, []byte{0, 0, 0x80, 0xd2, 0xa8, 0x0b, 0x80, 0xd2, 1, 0, 0, 0xd4}
	default:
		return nil
	}
	size := uint64(start + len(code))
	var b bytes.Buffer
	for _, part := range []any{
		elf.Header64{Ident: [elf.EI_NIDENT]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)},
			Type: uint16(elf.ET_EXEC), Machine: uint16(machine), Version: uint32(elf.EV_CURRENT),
			Entry: address + start, Phoff: 64, Ehsize: 64, Phentsize: 56, Phnum: 1},
		elf.Prog64{
			Type:   uint32(elf.PT_LOAD),
			Flags:  uint32(elf.PF_R | elf.PF_X),
			Vaddr:  address,
			Paddr:  address,
			Filesz: size,
			Memsz:  size,
			Align:  1 << 16,
		},
		code,
	} {
		_ = binary.Write(&b, binary.LittleEndian, part) // to a buffer
	}
	return b.Bytes()
}
