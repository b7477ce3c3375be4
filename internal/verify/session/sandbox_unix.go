//go:build unix

package session

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// bubblewrap is the command that runs another, when it has got its options on
// descriptor 4.
func bubblewrap(args []string) (*exec.Cmd, error) {
	path, err := exec.LookPath("bwrap")
	if err != nil {
		return nil, err
	}
	return exec.Command(path, append([]string{"--args", "4", "--info-fd", "5", "--"}, args...)...), nil
}

// launchInside starts the interpreter in bubblewrap. Its options come through a
// pipe, so that it makes no process before it has been adopted; and it says who
// leads the group of those inside, for a signal to itself would be the end of
// them all at once.
func (s *Session) launchInside(cmd *exec.Cmd, options []string) (*process, error) {
	var pipes [4]*os.File // options: read, write; info: read, write
	defer func() {
		for _, f := range pipes {
			f.Close()
		}
	}()
	var err error
	if pipes[0], pipes[1], err = os.Pipe(); err != nil {
		return nil, err
	}
	if pipes[2], pipes[3], err = os.Pipe(); err != nil {
		return nil, err
	}
	cmd.ExtraFiles = append(cmd.ExtraFiles, pipes[0], pipes[3])
	p, err := launch(cmd, s.results.end)
	if err != nil {
		return nil, err
	}
	p.inside = true
	pipes[0].Close()
	pipes[3].Close()
	s.pen.adopt(cmd.Process.Pid)
	fmt.Fprint(pipes[1], strings.Join(options, "\x00"), "\x00")
	pipes[1].Close()
	var info struct {
		Child int `json:"child-pid"`
	}
	// Nothing comes if bubblewrap fails; then its own group is all there is.
	if json.NewDecoder(pipes[2]).Decode(&info) == nil && info.Child > 0 {
		p.group = info.Child
	}
	return p, nil
}
