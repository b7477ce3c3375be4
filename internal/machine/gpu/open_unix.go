//go:build unix

package gpu

import "golang.org/x/sys/unix"

// mayOpen returns why this process may not read and write the file, below the root. It
// does not open it, which could wake a GPU, or hang: access checks the file's mode and
// the device list of the control group alike (inode_permission and
// devcgroup_inode_permission in Linux's fs/namei.c).
func mayOpen(name string) error { return unix.Access("/"+name, unix.R_OK|unix.W_OK) }
