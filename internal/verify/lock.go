package verify

import (
	"fmt"
	"os"
	"time"
)

// Busy is the error of [Lock] where another process holds it, as that process
// describes itself. Its fields are empty where it has not done so yet.
type Busy struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
}

func (b *Busy) Error() string {
	if b.PID == 0 {
		return "another gpudocs holds the lock"
	}
	where := ""
	if host, err := os.Hostname(); err != nil || host != b.Host {
		where = " on " + b.Host
	}
	return fmt.Sprintf("process %d%s, since %s", b.PID, where, b.Since.Local().Format(time.DateTime))
}
