package cli

import (
	"bytes"
	"compress/gzip"
	"debug/elf"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gpudocs/gpudocs/internal/verify/remote/ssh"
	"github.com/gpudocs/gpudocs/test/programtest"
)

// Scripts talk to real OpenSSH servers of their own. The commands:
//
//	sshd ALIAS [KEY=VALUE...]    starts a server with settings of sshd_config, and
//	                             defines the alias for it
//	hollow FILE                  copies gpudocs without its code: it cannot run, and
//	                             takes no time to be compressed
//	silent ALIAS                 something listens there, and never answers
//	emptied DIR                  waits until nothing is in the folder any more
//
// The client's configuration is $SSH/config, the key $SSH/key, the login shell's
// home $REMOTE, where temporary files are in $REMOTE/tmp. $SSH/pids has the last
// client's process and its parent's. $LOGIN is the user's name.

// sshdPath finds the server, which is not in every PATH.
func sshdPath() (string, error) {
	if path, err := exec.LookPath("sshd"); err == nil {
		return path, nil
	}
	return exec.LookPath("/usr/sbin/sshd")
}

// haveSSHD reports whether a server can be started here.
func haveSSHD() bool {
	server, err := sshdPath()
	return err == nil && programtest.Fault(server) == nil && programtest.Fault("ssh") == nil && programtest.Fault("ssh-keygen") == nil
}

// setupSSH sets up the client: a key, and an ssh that reads the script's own configuration.
func setupSSH(ts *testscript.TestScript) string {
	dir := filepath.Join(ts.Getenv("WORK"), ".ssh-client")
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	client, err := exec.LookPath("ssh")
	ts.Check(err)
	bin, remote := filepath.Join(dir, "bin"), filepath.Join(ts.Getenv("WORK"), ".remote")
	ts.Check(os.MkdirAll(bin, 0o700))
	ts.Check(os.MkdirAll(filepath.Join(remote, "tmp"), 0o700))
	keygen(ts, filepath.Join(dir, "key"))
	ts.Check(os.WriteFile(filepath.Join(dir, "config"), nil, 0o600))
	// For a jump host ssh starts itself through a shell, with the same -F: its path cannot
	// contain a space.
	ts.Check(os.WriteFile(filepath.Join(bin, "ssh"),
		fmt.Appendf(nil, "#!/bin/sh\ncd '%[2]s' || exit\necho $$ $PPID >pids\nexec '%[1]s' -F config \"$@\"\n", client, dir), 0o700))
	ts.Setenv("SSH", dir)
	me, err := user.Current()
	ts.Check(err)
	ts.Setenv("LOGIN", me.Username)
	ts.Setenv("REMOTE", remote)
	ts.Setenv("PATH", bin+string(filepath.ListSeparator)+ts.Getenv("PATH"))
	return dir
}

// stubVariable makes gpudocs send to other machines, which are this one, a script that executes it. Sending a program of
// 60 MB takes longer than the rest of such a test.
const stubVariable = "GPUDOCS_TEST_STUB"

// sendStub replaces the program that is sent, if [stubVariable] is set.
func sendStub() {
	if os.Getenv(stubVariable) == "" {
		return
	}
	self, _ := os.Executable()
	whole := ssh.Pack
	ssh.Pack = func(file string) ([]byte, error) {
		if file != self {
			return whole(file)
		}
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		fmt.Fprintf(z, "#!/bin/sh\nexec '%s' \"$@\"\n", file)
		err := z.Close()
		return packed.Bytes(), err
	}
}

func hollow(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) == 1, neg, "hollow FILE")
	self, err := exec.LookPath("gpudocs")
	ts.Check(err)
	program, err := os.ReadFile(self)
	ts.Check(err)
	if file, err := elf.NewFile(bytes.NewReader(program)); err == nil {
		for _, s := range file.Sections {
			if s.Type == elf.SHT_PROGBITS && s.FileSize > 1<<16 {
				clear(program[s.Offset:][:s.FileSize])
			}
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), program, 0o755))
}

func keygen(ts *testscript.TestScript, file string) {
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file).CombinedOutput(); err != nil {
		ts.Fatalf("ssh-keygen: %v\n%s", err, out)
	}
}

// alias adds a name to the client's configuration, in which the first setting of a key holds.
func alias(ts *testscript.TestScript, name string, port int) {
	dir := setupSSH(ts)
	f, err := os.OpenFile(filepath.Join(dir, "config"), os.O_APPEND|os.O_WRONLY, 0)
	ts.Check(err)
	defer f.Close()
	fmt.Fprintf(f, "Host %s\n  HostName 127.0.0.1\n  Port %d\n  User %s\n  IdentityFile \"%s/key\"\n  IdentitiesOnly yes\n  UserKnownHostsFile \"%s/known_hosts\"\n",
		name, port, ts.Getenv("LOGIN"), dir, dir)
}

func sshd(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) >= 1, neg, "sshd ALIAS [KEY=VALUE...]")
	program, err := sshdPath()
	ts.Check(err)
	client := setupSSH(ts)
	if os.Geteuid() == 0 {
		ts.Check(os.MkdirAll("/run/sshd", 0o755)) // the root directory of its helper
	}
	dir := filepath.Join(ts.Getenv("WORK"), ".sshd-"+args[0])
	ts.Check(os.Mkdir(dir, 0o700))
	keygen(ts, filepath.Join(dir, "hostkey"))
	port, err := programtest.FreePort()
	ts.Check(err)
	env := ""
	for _, key := range []string{"PATH", "RAN", "GORACE", "GOGC", "GOMEMLIMIT", "GOCOVERDIR"} {
		if v := ts.Getenv(key); v != "" {
			env += fmt.Sprintf(" %q", key+"="+v)
		}
	}
	settings := append(args[1:len(args):len(args)],
		"ListenAddress=127.0.0.1", "Port="+strconv.Itoa(port), "HostKey="+strconv.Quote(dir+"/hostkey"), "PidFile=none",
		"AuthorizedKeysFile="+strconv.Quote(client+"/key.pub"), "StrictModes=no", "UsePAM=no", "PermitRootLogin=yes", "PasswordAuthentication=no",
		"KbdInteractiveAuthentication=no", fmt.Sprintf("SetEnv=%q %q%s", "HOME="+ts.Getenv("REMOTE"), "TMPDIR="+ts.Getenv("REMOTE")+"/tmp", env))
	var config strings.Builder
	for _, s := range settings {
		key, value, _ := strings.Cut(s, "=")
		fmt.Fprintf(&config, "%s %s\n", key, value)
	}
	ts.Check(os.WriteFile(dir+"/config", []byte(config.String()), 0o600))
	serve(ts, exec.Command(program, "-D", "-e", "-f", dir+"/config"), dir+"/log")
	alias(ts, args[0], port)
	public, err := os.ReadFile(dir + "/hostkey.pub")
	ts.Check(err)
	known, err := os.OpenFile(client+"/known_hosts", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	ts.Check(err)
	fmt.Fprintf(known, "[127.0.0.1]:%d %s", port, public)
	ts.Check(known.Close())
	poll(ts, "the server "+args[0], func() (bool, string) {
		log, _ := os.ReadFile(dir + "/log")
		return strings.Contains(string(log), "Server listening"), string(log)
	})
}

// serve runs a server until the script ends.
func serve(ts *testscript.TestScript, cmd *exec.Cmd, log string) {
	out, err := os.Create(log)
	ts.Check(err)
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	apart(cmd)
	ts.Check(cmd.Start())
	ts.Defer(func() {
		killAll(cmd)
		_ = cmd.Wait()
		if text, err := os.ReadFile(log); err == nil {
			ts.Logf("[%s]\n%s", filepath.Base(filepath.Dir(log)), text)
		}
	})
}

func silent(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) == 1, neg, "silent ALIAS")
	l, err := net.Listen("tcp", "127.0.0.1:0") // the kernel accepts connections for it
	ts.Check(err)
	ts.Defer(func() { l.Close() })
	alias(ts, args[0], l.Addr().(*net.TCPAddr).Port)
}

func emptied(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) == 1, neg, "emptied DIR")
	poll(ts, "nothing in "+args[0], func() (bool, string) {
		entries, err := os.ReadDir(ts.MkAbs(args[0]))
		ts.Check(err)
		return len(entries) == 0, fmt.Sprint(entries)
	})
}
