//go:build unix

package gpu

import "golang.org/x/sys/unix"

// mayOpen says why this process may not read and write the file of that name,
// below the root. It does not open it, which could wake a card, or hang: access
// asks a file's mode and the control group's list of devices alike
// (inode_permission and devcgroup_inode_permission in Linux's fs/namei.c).
func mayOpen(name string) error { return unix.Access("/"+name, unix.R_OK|unix.W_OK) }
