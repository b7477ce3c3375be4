//go:build unix

package session

import (
	"strings"
	"testing"
)

func TestBash(t *testing.T) {
	t.Parallel()
	testSessions(t, Bash, []sessionTest{
		{"state persists", []want{
			{code: "x=1; export Y=2; f() { echo f$x; }; mkdir d; cd d; declare -a a=(1 2); shopt -s nullglob"},
			{code: "f; env | grep ^Y; basename \"$PWD\"; echo ${a[1]} *", out: "f1\nY=2\nd\n2\n"},
		}},
		{"stops at the first failing command", []want{
			{code: "echo a\ntoruch\necho no", out: "a\n", err: page + ": line 71: toruch: command not found", exit: 127, line: 71},
			{code: "echo goes on", out: "goes on\n"},
		}},
		{"in a loop", []want{{code: "for i in 1 2; do\n  echo $i\n  (exit 5)\ndone\necho no", out: "1\n", exit: 5, line: 72}}},
		{"in a function", []want{
			{code: "f() {\n  false\n  echo no\n}"},
			{code: "g() { f; echo no; }\ng\necho no", exit: 1, line: 71},
		}},
		{"in a sourced file", []want{
			{code: "printf 'false\\necho no\\n' >s.sh"},
			{code: "echo a\n. ./s.sh\necho no", out: "a\n", exit: 1, line: 71},
		}},
		{"in a subshell", []want{{code: "(\necho a\nfalse\necho no\n)\necho no", out: "a\n", exit: 1, line: 74}}},
		{"in a substitution", []want{
			{code: "x=$(false; echo as set -e)\necho $x", out: "as set -e\n"},
			{code: "x=$(echo no; false)\necho $x", exit: 1, line: 70},
		}},
		{"in a function in a subshell", []want{{code: "f() { false; echo no; }\n(f; echo no)\necho no", exit: 1, line: 71}}},
		{"eval", []want{{code: "eval false\necho no", exit: 1, line: 70}}},
		{"failures that do not count", []want{
			{code: "f() { false; echo f; }\nfalse || true\nif f; then :; fi\nf && false || true\n! true\nfalse | true\nwhile false; do :; done\nx=$(false) || echo end",
				out: "f\nf\nend\n"},
		}},
		{"the last command counts", []want{{code: "[[ a == b ]] && echo no", exit: 1}}},
		{"pipefail", []want{{code: "set -o pipefail\nfalse | true\necho no", exit: 1, line: 71}}},
		{"set -e and set +e", []want{
			{code: "set -uo pipefail\nset +e\nfalse\necho $?; f() { false; }; f\nset -e\nfalse\necho no", out: "1\n", exit: 1, line: 75},
			{code: "echo $-; [[ a == b ]] && echo no", out: "ehuBE\n", exit: 1},
			{code: "echo $-; set +e; false", out: "ehuBE\n", exit: 1},
			{code: "false; echo $-", out: "huBE\n"},
			{code: "set -e"}, {code: "false\necho no", exit: 1, line: 70}, {code: "false\necho no", exit: 1, line: 70},
		}},
		{"set -x", []want{{code: "set -x\necho a\nfalse", out: "a\n", err: "++ echo a\n++ false\n", exit: 1, line: 72}}},
		{"syntax error", []want{{code: "echo a\necho b )\necho c", out: "a\n", err: "line 71: syntax error", exit: 2, line: 71, ended: true}}},
		{"unfinished block", []want{{code: "if true; then\necho a\n", err: "syntax error", exit: 2, line: 72, ended: true}}},
		{"errors of the shell itself", []want{{code: "readonly x=1\nx=2\necho no", err: "readonly", exit: 1, line: 71, ended: true}}},
		{"an error that set -e lets pass", []want{{code: "echo $((1/0))\necho on", out: "on\n", err: "division by 0"}}},
		{"unset variable", []want{{code: "set -u\necho $nope", err: "nope: unbound variable", exit: 1, line: 71, ended: true}}},
		{"exit", []want{{code: "echo a\nexit 3\necho no", out: "a\n", exit: 3, ended: true}}},
		{"exit 0", []want{{code: "exit", ended: true}}},
		{"exit in a subshell", []want{{code: "(exit 3) || echo a", out: "a\n"}}},
		{"return", []want{{code: "return 4\necho no", exit: 4}, {code: "echo b", out: "b\n"}}},
		{"break and continue", []want{{code: "break", exit: 1}, {code: "continue"}, {code: "echo b", out: "b\n"}}},
		{"author's EXIT trap", []want{
			{code: "trap 'echo \"bye $? it'\\''s\"' EXIT"},
			{code: "echo b; exit 3", out: "b\nbye 3 it's\n", exit: 3, ended: true},
		}},
		{"author's EXIT trap that exits", []want{
			{code: "trap 'exit 9' EXIT"},
			{code: "exit 3", exit: 9, ended: true},
		}},
		{"author's EXIT trap taken back", []want{
			{code: "trap 'echo bye' EXIT"}, {code: "trap - EXIT"},
			{code: "exit 3", exit: 3, ended: true},
		}},
		{"author's ERR trap", []want{{code: "trap 'echo caught' ERR\nfalse\necho no", out: "caught\n", exit: 1, ended: true}}},
		{"author's ERR trap with set +e", []want{
			{code: "set +e\ntrap 'echo caught' ERR\nfalse\necho on\nset -e", out: "caught\non\n"},
			{code: "false\necho no", exit: 1, line: 70},
		}},
		{"exec", []want{{code: "echo a; exec true", out: "a\n", status: Crashed, ended: true}}},
		{"kill -9", []want{{code: "echo a; kill -9 $$; sleep 60", out: "a\n", exit: 137, status: Crashed, signal: "SIGKILL", ended: true}}},
		{"kill", []want{{code: "kill $$; sleep 60", exit: 143, status: Crashed, signal: "SIGTERM", ended: true}}},
		{"killed while it reports its end", []want{
			{code: "set -T; trap '[[ $BASH_COMMAND != __gpudocs_nonce= ]] || kill $$' DEBUG", exit: 143, status: Crashed, signal: "SIGTERM", ended: true},
		}},
		{"killed once it has reported its end", []want{
			{code: "set -T; n=0; trap '[[ $BASH_COMMAND != __gpudocs_nonce= ]] || ((n++ == 0)) || kill $$' DEBUG", exit: 143, status: Crashed, signal: "SIGTERM", ended: true},
		}},
		{"closed and moved descriptors", []want{
			{code: "exec >&- 2>&-"}, {code: "echo a; echo b >&2", out: "a\n", err: "b\n"},
			{code: "exec >file; echo c"}, {code: "cat file; exec 3<file 4>file", out: "c\n"},
			{code: "read x <&3 || echo empty", out: "empty\n"},
		}},
		{"stdin is empty", []want{{code: "cat; read x || echo eof", out: "eof\n"}}},
		{"hostile settings", []want{
			{code: "IFS=eo0; set -Cfu; shopt -s nocasematch; PATH=; printf() { :; }; read() { :; }; trap() { :; }"},
			{code: "echo a; false; echo no", out: "a\n", exit: 1, line: 70},
			{code: "echo b", out: "b\n"},
		}},
		{"descriptors of ours are closed in children", []want{{code: "(: <&200) 2>/dev/null || echo closed", out: "closed\n"}}},
		{"no final newline", []want{{code: "printf a", out: "a"}, {code: "printf b", out: "b"}}},
		{"heredoc", []want{{code: "cat <<'EOF'\n$x `y` \\\n\tEOF\nEOF", out: "$x `y` \\\n\tEOF\n"}}},
		{"heredoc without an end", []want{{code: "cat <<'EOF'\nnext", out: "next\n", err: "here-document"}}},
		{"CRLF", []want{{code: "echo a\r\nif true; then\r\n  false\r\nfi\r\n", out: "a\n", exit: 1, line: 72}}},
		{"bytes that are not UTF-8", []want{{code: `printf 'a\377\000b\xc3'`, out: "a\xff\x00b\xc3"}}},
		{"empty", []want{{code: ""}, {code: "# only a comment"}}},
		{"path in redirected stderr", []want{{code: "toruch 2>&1 || true", out: page + ": line 70: toruch: command not found\n"}}},
		{"reopened stdout", []want{{code: "echo a >/dev/stdout; echo b | tee /dev/stderr", out: "a\nb\n", err: "b\n"}}},
		{"local is not for blocks", []want{{code: "local x=1", err: "can only be used in a function", exit: 1, line: 70}}},
	})
}

func TestLargeBlock(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		Bash:   "x=" + strings.Repeat("a", 1<<20) + "\necho ${#x}",
		Python: "x = '" + strings.Repeat("a", 1<<20) + "'\nprint(len(x))",
	}
	for interpreter, code := range tests {
		t.Run(interpreter, func(t *testing.T) {
			s := start(t, options(t, interpreter))
			want{code: code, out: "1048576\n"}.check(t, run(t, s, Step{Code: code}))
		})
	}
}
