package verifycmd

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"github.com/gpudocs/gpudocs/internal/atomicfile"
	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A claim is the right to write the reports of a run: their locks and signers.
type claim struct {
	// previous are the reports that the run continues, by machine.
	previous map[string]report.File
	signers  map[string]*project.Signer
	unnamed  *project.Signer // for machines that were not known before
	release  func()
}

// claim makes sure, before anything is run, that the reports of machines can be continued, signed
// and written. It holds their locks until it is released.
func (v *verification) claim(ctx context.Context, machines ...string) (_ *claim, err error) {
	c := &claim{previous: map[string]report.File{}, signers: map[string]*project.Signer{}, release: func() {}}
	if c.unnamed, err = OpenSigner(ctx, v.Env, v.project, v.site.Config, v.sign); err != nil {
		return nil, err
	}
	for _, machine := range machines {
		if err := c.unnamed.MayCount(machine); err != nil {
			return nil, err
		}
	}
	if !v.slurm.inJob { // the process that submitted the job holds the lock
		if c.release, err = v.project.Lock(machines...); err != nil {
			return nil, err
		}
	}
	for _, machine := range machines {
		if err := c.add(v.reportFile(machine), machine); err != nil {
			c.release()
			return nil, err
		}
	}
	return c, nil
}

// add prepares the report of a machine whose lock is held.
func (c *claim) add(file, machine string) error {
	previous, err := project.Previous(file, machine)
	if err != nil {
		return err
	}
	s := *c.unnamed
	if err := s.MayContinue(file, previous); err != nil {
		return err
	}
	atomicfile.Sweep(file)
	if err := atomicfile.Writable(file, 0o644); err != nil {
		return diag.Say("verify.report-not-writable", "why", err)
	}
	c.previous[machine], c.signers[machine] = previous, &s
	return nil
}

func (c *claim) signerOf(machine string) *project.Signer {
	return cmp.Or(c.signers[machine], c.unnamed)
}

// OpenSigner opens the key of --sign.
func OpenSigner(ctx context.Context, a *env.Env, p *project.Project, config *site.Config, file string) (*project.Signer, error) {
	var ask func(diag.Text) ([]byte, error)
	if a.Terminal(a.Stdin) {
		ask = func(question diag.Text) ([]byte, error) { return askSecret(ctx, a, question) }
	}
	s, diags, err := p.NewSigner(config, file, ask)
	if diags.HasErrors() {
		a.Print(diags)
		err = exit.Content(diags, "nothing_run")
	}
	return s, err
}

// WriteReport writes a report with its signature.
func WriteReport(a *env.Env, s *project.Signer, file string, r *report.Report) error {
	unsigned, err := s.Write(file, r)
	if !unsigned.IsZero() {
		fmt.Fprintln(a.Stdout, a.Text.Say(unsigned))
	}
	if errors.Is(err, report.ErrNotSigned) {
		return exit.With(exit.Broken, diag.Plain(err).WithHint(s.ByHand(file)))
	}
	return err
}

// checkReportFlag refuses a file in the site's results/ that is not named after its machine: no build
// would accept it.
func (v *verification) checkReportFlag(machine string) error {
	dir, err := filepath.Abs(filepath.Dir(v.report))
	if err != nil || v.report == "" {
		return err
	}
	results, err := filepath.Abs(v.project.Path(project.ResultsDir))
	if err == nil && dir == results && filepath.Base(v.report) != machine+".json" {
		return diag.Wrong(diag.Say("verify.report-flag-name-wrong", "file", v.report, "folder", project.ResultsDir, "name", machine))
	}
	return err
}

// machineName returns the label of this machine. The host name is never used, because a lab may not
// want to publish it.
func machineName(ctx context.Context, a *env.Env, flag string) (string, error) {
	name := cmp.Or(flag, os.Getenv(project.MachineVariable))
	if name == "" && a.Terminal(a.Stdin) {
		var err error
		if name, err = Ask(ctx, a, a.Text.Get("ask_name")); err != nil {
			return "", err
		}
	}
	if name == "" {
		return "", diag.Wrong(diag.Say("cli.fault-no-name", "variable", project.MachineVariable))
	}
	if err := report.CheckName(name); err != nil {
		return "", diag.Wrong(err)
	}
	return name, nil
}

// Ask asks a question on the terminal.
func Ask(ctx context.Context, a *env.Env, question string) (string, error) {
	fmt.Fprint(a.Stderr, question)
	line, err := await(ctx, func() (string, error) {
		line, _ := bufio.NewReader(a.Stdin).ReadString('\n') // without a newline at the end too
		return strings.TrimSpace(line), nil
	})
	if err != nil {
		fmt.Fprintln(a.Stderr)
	}
	return line, err
}

// askSecret asks a question on the terminal without echo.
func askSecret(ctx context.Context, a *env.Env, question diag.Text) ([]byte, error) {
	fd := int(a.Stdin.(*os.File).Fd())
	shown, err := term.GetState(fd)
	if err != nil {
		return nil, err
	}
	fmt.Fprint(a.Stderr, a.Text.Say(question))
	defer fmt.Fprintln(a.Stderr)
	secret, err := await(ctx, func() ([]byte, error) { return term.ReadPassword(fd) })
	if ctx.Err() != nil {
		_ = term.Restore(fd, shown) // so that the shell echoes again
	}
	return secret, err
}

// await returns what read reads. A read cannot be interrupted, so it is abandoned if ctx ends.
func await[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		value, err := read()
		done <- answer{value, err}
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
		return *new(T), ctx.Err()
	}
}
