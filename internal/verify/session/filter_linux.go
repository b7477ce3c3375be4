package session

import (
	"encoding/binary"
	"fmt"
	"runtime"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// audit are the architectures that [systemCallFilter] supports, by GOARCH. All are
// little-endian, and flags are the first argument of clone.
var audit = map[string]uint32{
	"amd64":   unix.AUDIT_ARCH_X86_64,
	"arm64":   unix.AUDIT_ARCH_AARCH64,
	"loong64": unix.AUDIT_ARCH_LOONGARCH64,
	"ppc64le": unix.AUDIT_ARCH_PPC64LE,
	"riscv64": unix.AUDIT_ARCH_RISCV64,
}

// Offsets in the kernel's struct seccomp_data.
const (
	callNumber  = 0
	callArch    = 4
	callFlags   = 16 // the lower half of the first argument
	x32Bit      = 0x40000000
	errnoAction = uint32(unix.SECCOMP_RET_ERRNO)
)

// systemCallFilter returns the seccomp filter of a sandbox, in the format of
// bubblewrap. It refuses what would let a snippet act on the machine although it has no
// capabilities and all file systems are read-only:
//
//   - user namespaces, in which it has every capability again: snippets of root could
//     mount cgroups there, and stop or kill any process of the machine;
//   - the kernel's keyrings, which belong to the user and not to a namespace.
//
// A filter cannot see the flags of clone3, so clone3 fails with ENOSYS and the C
// library falls back to clone. So do the system calls of other architectures (32-bit
// programs), which have other numbers.
func systemCallFilter() ([]byte, error) {
	arch, ok := audit[runtime.GOARCH]
	if !ok {
		return nil, fmt.Errorf("no filter of system calls for %s", runtime.GOARCH)
	}
	missing := bpf.RetConstant{Val: errnoAction | uint32(unix.ENOSYS)}
	refused := bpf.RetConstant{Val: errnoAction | uint32(unix.EPERM)}
	allowed := bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}

	program := []bpf.Instruction{
		bpf.LoadAbsolute{Off: callArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: arch, SkipTrue: 1},
		missing,
		bpf.LoadAbsolute{Off: callNumber, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpLessThan, Val: x32Bit, SkipTrue: 1},
		missing,
	}
	for _, call := range []uint32{unix.SYS_CLONE3, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL} {
		program = append(program, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: call, SkipTrue: 1}, missing)
	}
	program = append(program,
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SYS_CLONE, SkipTrue: 2},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SYS_UNSHARE, SkipTrue: 1},
		allowed,
		bpf.LoadAbsolute{Off: callFlags, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpBitsNotSet, Val: unix.CLONE_NEWUSER, SkipTrue: 1},
		refused,
		allowed,
	)
	raw, err := bpf.Assemble(program)
	if err != nil {
		return nil, err
	}
	var filter []byte // of struct sock_filter
	for _, i := range raw {
		filter, err = binary.Append(filter, binary.NativeEndian, i)
		if err != nil {
			return nil, err
		}
	}
	return filter, nil
}
