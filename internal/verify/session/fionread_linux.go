package session

import "golang.org/x/sys/unix"

const fionread = unix.TIOCINQ // Linux's other name for FIONREAD
