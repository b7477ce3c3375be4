package project

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/trust"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// newKey makes a key, and returns its file and the line of signers that lets it sign for a machine.
func newKey(t *testing.T, machine string) (file, line string) {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return file, trust.Line(machine, key.PublicKey()) + "\n"
}

// signer opens a key for a site.
func signer(t *testing.T, p *Project, signers, key string) *Signer {
	t.Helper()
	s, diags, err := p.NewSigner(&site.Config{AllowedSigners: signers}, key, nil)
	if err != nil || len(diags) > 0 {
		t.Fatal(err, diags)
	}
	return s
}

// TestTrust: a report is as trusted as its signature, in what builds, report show and verify make of it.
func TestTrust(t *testing.T) {
	known, line := newKey(t, "lab")
	other, otherLine := newKey(t, "other")
	stranger, _ := newKey(t, "nobody")
	for _, tt := range []struct {
		name, key string // that signs
		edit      bool   // after it was signed
		signers   string
		status    trust.Status
		state     results.SignatureState
		fault     string // of --require-signed
		goOn      string // why a run with the known key may not continue it
		goOnPlain string // and one without a key
	}{
		{name: "signed", key: known, signers: "s", status: trust.Signed, state: results.Signed},
		{name: "not signed", signers: "s", status: trust.NotSigned, state: results.NotSigned, fault: "not signed", goOn: "not signed"},
		{name: "unknown key", key: stranger, signers: "s", status: trust.Unknown, state: results.SignedUnknown, fault: "key", goOn: "signed by"},
		{name: "key of another machine", key: other, signers: "s", status: trust.OtherMachine, state: results.SignedOtherMachine, fault: "other", goOn: "signed by"},
		{name: "edited", key: known, edit: true, signers: "s", status: trust.Mismatch, state: results.SignedOther, fault: "signature", goOn: "signature", goOnPlain: "signature"},
		{name: "no list, not signed", status: trust.NotSigned, goOn: "not signed"},
		{name: "no list, signed", key: stranger, status: trust.Unknown, state: results.SignedUnknown, goOn: "signed by"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := open(t, small(map[string]string{"s": line + otherLine}))
			config := &site.Config{AllowedSigners: tt.signers}
			file := p.ReportFile("lab")
			if err := os.Mkdir(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if _, err := signer(t, p, tt.signers, tt.key).Write(file, reportOf("lab")); err != nil {
				t.Fatal(err)
			}
			if tt.edit {
				write(t, file, strings.Replace(encoded(t, "lab"), "Debian", "Fedora", 1))
			}
			list, diags := p.readReports(config)
			if len(list) != 1 || list[0].Verdict.Status != tt.status || list[0].Name != "results/lab.json" || list[0].File != file {
				t.Fatalf("%+v", list)
			}
			if want := tt.status != trust.Signed && tt.status != trust.NotSigned; (len(diags) == 1) != want || want && diags[0].Severity != diag.Warning {
				t.Errorf("diagnostics %v", diags)
			}
			if got := list[0].Source(config); got.Signature.State != tt.state || got.Local || got.Report != list[0].Report {
				t.Errorf("on pages: %+v", got.Signature)
			}
			refused, err := Loaded{Content: &site.Site{Config: config}, Reports: list}.Unsigned()
			if (err != nil) != (tt.signers == "") || err == nil && (len(refused) > 0) != (tt.fault != "") {
				t.Errorf("--require-signed: %v, %v", refused, err)
			}
			if len(refused) > 0 && (refused[0].Severity != diag.Error || refused[0].File != "results/lab.json" || !strings.Contains(refused[0].Message.String(), tt.fault)) {
				t.Errorf("refused: %v", refused)
			}
			previous, err := Previous(file, "lab")
			if err != nil {
				t.Fatal(err)
			}
			for key, want := range map[string]string{known: tt.goOn, "": tt.goOnPlain} {
				s := signer(t, p, tt.signers, key)
				got := told(s.MayContinue(file, previous))
				if want == "" && got != "" || !strings.Contains(got, want) || strings.HasPrefix(got, "no fault") {
					t.Errorf("continue, key %q: %q, want %q", key, got, want)
				}
				if s.had != (tt.key != "") {
					t.Error("whether it was signed")
				}
			}
		})
	}
}

// TestSigner: what a signer says before and after it writes.
func TestSigner(t *testing.T) {
	key, line := newKey(t, "lab")
	p := open(t, small(map[string]string{"s": line, "broken": "what is this\n"}))
	s := signer(t, p, "s", key)
	if err := s.MayCount("lab"); err != nil {
		t.Error(err)
	}
	if got := told(s.MayCount("gpu-a")); !strings.Contains(got, "key") || !strings.Contains(got, "gpu-a") {
		t.Errorf("for another machine: %s", got)
	}
	for _, s := range []*Signer{signer(t, p, "", key), signer(t, p, "s", "")} {
		if err := s.MayCount("gpu-a"); err != nil {
			t.Error(err)
		}
	}
	file := filepath.Join(p.Dir, "r.json")
	if unsigned, err := s.Write(file, reportOf("lab")); err != nil || !unsigned.IsZero() || s.Wrote(file).Key() != "cli.wrote_signed" {
		t.Error(unsigned, err, s.Wrote(file))
	}
	// A run without a key replaces it.
	plain := signer(t, p, "s", "")
	previous, err := Previous(file, "lab")
	if err != nil {
		t.Fatal(err)
	}
	if err := plain.MayContinue(file, previous); err != nil {
		t.Fatal(err)
	}
	if unsigned, err := plain.Write(file, reportOf("lab")); err != nil || unsigned.Key() != "cli.unsigned_now" || plain.Wrote(file).Key() != "cli.wrote" {
		t.Error(unsigned, err, plain.Wrote(file))
	}
	if _, err := os.Stat(file + report.SignatureExtension); err == nil {
		t.Error("the old signature stays")
	}
	if unsigned, err := signer(t, p, "s", "").Write(file, reportOf("lab")); err != nil || !unsigned.IsZero() {
		t.Error("it was not signed before:", unsigned, err)
	}
	if err := s.Checkpoint(file, reportOf("lab")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(file + report.SignatureExtension); err != nil {
		t.Error("a checkpoint is signed:", err)
	}
	if err := s.MayContinue(file, report.File{}); err != nil {
		t.Error("there is nothing to continue:", err)
	}
	write(t, filepath.Join(p.Dir, "none"), "no key")
	if _, _, err := p.NewSigner(&site.Config{}, filepath.Join(p.Dir, "none"), nil); !strings.Contains(told(err), "none") || strings.HasPrefix(told(err), "no fault") {
		t.Error(told(err))
	}
	if _, diags, err := p.NewSigner(&site.Config{AllowedSigners: "broken"}, filepath.Join(p.Dir, "none"), nil); !diags.HasErrors() || err != nil {
		t.Error("a broken list of signers:", diags, err)
	}
}

// TestReports: which reports arguments name, and what is said of those that cannot be read.
func TestReports(t *testing.T) {
	newer := strings.Replace(encoded(t, "lab"), `"lab"`, `"gpu-b"`, 1)
	p := open(t, small(map[string]string{
		"results/lab.json":            encoded(t, "lab"),
		"results/gpu-a.json":          "{",
		"results/gpu-b.json":          newer,
		".gpudocs/results/lab.json":   encoded(t, "lab"),
		".gpudocs/results/local.json": encoded(t, "local"),
		"elsewhere/x.json":            encoded(t, "lab"),
		"elsewhere/bad.json":          "[]",
	}))
	for _, tt := range []struct {
		args  []string
		want  string // machine and place of each report
		diags int
		err   string
	}{
		{nil, "gpu-b lab lab/local local/local", 1, ""},
		{[]string{"lab"}, "lab lab/local", 0, ""},
		{[]string{"gpu-a"}, "", 1, ""},
		{[]string{"lab", "gpu-b"}, "lab lab/local gpu-b", 0, ""},
		{[]string{filepath.Join(p.Dir, "elsewhere/x.json")}, "lab", 0, ""},
		{[]string{filepath.Join(p.Dir, "elsewhere/bad.json")}, "", 1, ""},
		{[]string{"./none.json"}, "", 0, "none.json | name"},
		{[]string{"la"}, "", 0, `| did you mean "lab"?`},
		{[]string{"Lab"}, "", 0, "between them | a file is named"},
	} {
		reports, diags, err := p.Reports(tt.args...)
		var got []string
		for _, r := range reports {
			name := r.Machine.Name
			if r.Local {
				name += "/local"
			}
			if !filepath.IsAbs(r.File) {
				t.Errorf("%s: file %s", name, r.File)
			}
			got = append(got, name)
		}
		if strings.Join(got, " ") != tt.want || len(diags) != tt.diags || (tt.err == "") != (err == nil) || !strings.Contains(told(err), tt.err) {
			t.Errorf("%q: %q, %v, %s", tt.args, got, diags, told(err))
		}
	}
	if got := Machines(p.Dir); !slices.Equal(got, []string{"gpu-a", "gpu-b", "lab", "local"}) {
		t.Error(got)
	}
	empty := open(t, small(nil))
	if _, _, err := empty.Reports(); !strings.Contains(told(err), ResultsDir) || strings.HasPrefix(told(err), "no fault") {
		t.Error(told(err))
	}
	if got := Machines(empty.Dir); len(got) != 0 {
		t.Error(got)
	}
	if _, _, err := empty.Reports("lab"); err == nil {
		t.Error("a site without reports has none of lab")
	}
}

func TestIsFile(t *testing.T) {
	for arg, want := range map[string]bool{"lab": false, "lab.json": true, "./lab": true, "a/b": true, "lab@main": false} {
		if got := IsFile(arg); got != want {
			t.Errorf("%s: %v", arg, got)
		}
	}
}

// TestLinkedReport: a link in results/ to the private folder does not publish what is there.
func TestLinkedReport(t *testing.T) {
	p := open(t, small(map[string]string{".gpudocs/results/local.json": encoded(t, "local"), "results/lab.json": encoded(t, "lab")}))
	if err := os.Symlink("../.gpudocs/results/local.json", p.Path(ResultsDir, "local.json")); err != nil {
		t.Skip(err)
	}
	list, diags := p.readReports(nil)
	if len(list) != 1 || len(diags) != 1 || diags[0].File != "results/local.json" {
		t.Errorf("%d reports, %v", len(list), diags)
	}
}

// TestPrevious: no report to continue is none, and one that cannot be read is an error that says where.
func TestPrevious(t *testing.T) {
	p := open(t, map[string]string{"lab.json": encoded(t, "lab"), "bad.json": "{\n  1", "folder.json/x": ""})
	for _, tt := range []struct{ file, machine, err string }{
		{"lab.json", "lab", ""}, {"none.json", "lab", ""}, {"lab.json", "gpu-a", "gpu-a"}, {"bad.json", "bad", "bad.json:2:"}, {"folder.json", "folder", "folder.json"},
	} {
		f, err := Previous(p.Path(tt.file), tt.machine)
		if (err == nil) != (tt.err == "") || !strings.Contains(told(err), tt.err) || strings.HasPrefix(told(err), "no fault") {
			t.Errorf("%s: %s", tt.file, told(err))
		}
		if (f.Report != nil) != (tt.file == "lab.json" && err == nil) {
			t.Errorf("%s: %v", tt.file, f.Report)
		}
	}
}

// TestWriteLocal: the report of this machine is where a preview reads it.
func TestWriteLocal(t *testing.T) {
	p := open(t, small(nil))
	if err := p.WriteLocal(reportOf("local")); err != nil {
		t.Fatal(err)
	}
	f, err := Previous(p.LocalFile("local"), "local")
	if err != nil || f.Report == nil {
		t.Error(f.Report, err)
	}
	if _, err := os.Stat(p.Path(PrivateDir, ".gitignore")); err != nil {
		t.Error(err)
	}
	if got := fmt.Sprint(Unreadable([]Report{{Fault: &diag.Diagnostic{File: "x"}}, {Report: reportOf("lab")}})); !strings.Contains(got, "x") {
		t.Error(got)
	}
}
