package trust

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// agentVariable names the socket of ssh-agent.
const agentVariable = "SSH_AUTH_SOCK"

// maxKey limits a key file, in bytes.
const maxKey = 64 << 10

// Time limits of ssh-agent: to list its keys, and to sign, for which its user may have to
// touch a security key or to confirm.
const (
	listTime = 10 * time.Second
	signTime = 2 * time.Minute
)

// A KeyError is why a key cannot sign.
type KeyError struct {
	File          string
	Message, Hint diag.Text
}

func (e *KeyError) Error() string { return e.File + ": " + e.Message.String() }

// Open opens a key for signing. The file has a private key, or a public key whose private
// key is in ssh-agent, as for a security key. ask asks for a passphrase. It is nil if
// there is no user to ask.
//
// Open checks the key as far as possible, so that errors appear before a long run. The
// error is a [*KeyError], or that of ask.
func Open(file string, ask func(question diag.Text) ([]byte, error)) (ssh.Signer, error) {
	data, err := readKey(file)
	if err != nil {
		return nil, &KeyError{file, diag.Plain(err), diag.Say("report.sign-key-hint")}
	}
	if public, _, _, _, err := ssh.ParseAuthorizedKey(data); err == nil {
		return fromAgent(file, public)
	}
	key, err := ssh.ParsePrivateKey(data)
	var locked *ssh.PassphraseMissingError
	if errors.As(err, &locked) {
		if key, err = unlock(file, data, locked.PublicKey, ask); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, &KeyError{file, diag.Say("report.key-invalid", "why", err),
			diag.Say("report.key-types-hint")}
	}
	if why := unusable(key.PublicKey()); !why.IsZero() {
		return nil, &KeyError{file, why, diag.Say("report.key-ed25519-hint")}
	}
	if _, isAgent := key.(*agentKey); !isAgent {
		if _, err := Sign(nil, key); err != nil {
			return nil, &KeyError{file, diag.Plain(err), diag.Say("report.key-ed25519-hint")}
		}
	}
	return key, nil
}

func readKey(file string) ([]byte, error) {
	data, err := report.ReadRegular(os.DirFS(filepath.Dir(file)), filepath.Base(file), maxKey)
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	if err == nil && len(data) > maxKey {
		err = diag.Say("report.key-file-too-large", "most", maxKey>>10)
	}
	return data, err
}

// unlock decrypts a key with a passphrase, unless ssh-agent has it.
func unlock(file string, data []byte, public ssh.PublicKey, ask func(question diag.Text) ([]byte, error)) (ssh.Signer, error) {
	if public != nil && os.Getenv(agentVariable) != "" {
		if key, err := fromAgent(file, public); err == nil {
			return key, nil
		}
	}
	if ask == nil {
		return nil, &KeyError{file, diag.Say("report.key-passphrase-no-terminal"), diag.Say("report.key-agent-hint", "file", file)}
	}
	passphrase, err := ask(diag.Say("report.key-passphrase-prompt", "file", file))
	if err != nil {
		return nil, err
	}
	key, err := ssh.ParsePrivateKeyWithPassphrase(data, passphrase)
	if err != nil {
		return nil, &KeyError{file, diag.Say("report.key-passphrase-wrong"), diag.Text{}}
	}
	return key, nil
}

// An agentKey signs through ssh-agent. It connects for each signature, because a run may
// take longer than a connection lasts.
type agentKey struct {
	public ssh.PublicKey
	socket string
}

func fromAgent(file string, public ssh.PublicKey) (ssh.Signer, error) {
	if why := unusable(public); !why.IsZero() {
		return nil, &KeyError{file, why, diag.Say("report.key-public-file-hint")}
	}
	k := &agentKey{public, os.Getenv(agentVariable)}
	if k.socket == "" {
		return nil, &KeyError{file, diag.Say("report.key-public-without-agent"), diag.Say("report.key-private-file-hint")}
	}
	err := k.with(listTime, func(ssh.AlgorithmSigner) error { return nil })
	if err != nil {
		return nil, &KeyError{file, diag.Plain(err), diag.Say("report.key-add-to-agent-hint")}
	}
	return k, nil
}

// with connects to the agent and calls use with its signer of the key.
func (k *agentKey) with(limit time.Duration, use func(ssh.AlgorithmSigner) error) error {
	conn, err := net.DialTimeout("unix", k.socket, listTime)
	if err != nil {
		return diag.Say("report.agent-unreachable", "why", err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	signers, err := agent.NewClient(conn).Signers()
	if err != nil {
		return diag.Say("report.agent-list-failed", "why", err)
	}
	for _, s := range signers {
		if bytes.Equal(s.PublicKey().Marshal(), k.public.Marshal()) {
			return use(s.(ssh.AlgorithmSigner))
		}
	}
	return diag.Say("report.agent-without-key")
}

func (k *agentKey) PublicKey() ssh.PublicKey { return k.public }

func (k *agentKey) Sign(rand io.Reader, data []byte) (*ssh.Signature, error) {
	return k.SignWithAlgorithm(rand, data, "")
}

// SignWithAlgorithm implements [ssh.AlgorithmSigner], which RSA with SHA-512 needs.
func (k *agentKey) SignWithAlgorithm(rand io.Reader, data []byte, algorithm string) (sig *ssh.Signature, err error) {
	err = k.with(signTime, func(s ssh.AlgorithmSigner) error {
		if algorithm == "" {
			sig, err = s.Sign(rand, data)
		} else {
			sig, err = s.SignWithAlgorithm(rand, data, algorithm)
		}
		return err
	})
	return sig, err
}

// Sign returns the content of the signature file for the bytes of a report.
func Sign(data []byte, key ssh.Signer) ([]byte, error) {
	sig, err := sshsig.Sign(bytes.NewReader(data), key, sshsig.HashSHA512, Namespace)
	if err != nil {
		return nil, fmt.Errorf("it cannot sign: %w", err)
	}
	// An agent is another program, so its signature is checked.
	if err := matches(data, sig); err != nil {
		return nil, fmt.Errorf("its signature does not hold: %w", err)
	}
	return sshsig.Armor(sig), nil
}

// Line returns the line for a key in allowed_signers.
func Line(principal string, key ssh.PublicKey) string {
	return fmt.Sprintf(`%s namespaces="%s" %s`, principal, Namespace, bytes.TrimSpace(ssh.MarshalAuthorizedKey(key)))
}
