# Runs in sh on the other machine; the line before sets $token. Every failure is reported, and
# the folder is always removed. A handler, unlike an ignored signal, is not inherited by the
# programs below.
umask 077
folder=
say() { printf '%s %s\n' "$token" "$*"; }

# Removes a folder and ends the remaining processes of its run: after a kill the snippets live
# on. A process that is just starting a program shows no environment, so after a run that did
# not end by itself it looks twice.
clean=
remove() {
	{
		for look in 1 2; do
			[ "$look" -eq 1 ] || [ -z "$clean" ] || break
			[ "$look" -eq 1 ] || sleep 0.2 || sleep 1
			grep -lsF "TMPDIR=$1/" /proc/[0-9]*/environ | while IFS=/ read -r _ _ process _; do kill -9 "$process"; done
		done
		chmod -R u+rwx "$1"
		rm -rf "$1"
	} 2>/dev/null
}
trap '[ -z "$folder" ] || remove "$folder"' EXIT
trap : PIPE
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Removes the folders of runs whose shell here was killed. A home folder may be shared with
# other machines, but process IDs are not.
sweep() {
	for old in "$1"/gpudocs-host.*; do
		[ -O "$old" ] && [ ! -h "$old" ] || continue
		{ read -r name process <"$old/shell"; } 2>/dev/null || continue
		[ "$name" = "$(uname -n)" ] && ! kill -0 "$process" 2>/dev/null && remove "$old"
	done
}

# Finds a folder in which programs can be written and run: /tmp is often mounted noexec.
printf '\n'
for base in "${TMPDIR:-/tmp}" /tmp /var/tmp "${XDG_RUNTIME_DIR:-/tmp}" "${HOME:-/tmp}/.cache" "${HOME:-/tmp}"; do
	case $base in /*) ;; *) continue ;; esac
	sweep "$base"
	folder=$(mktemp -d "$base/gpudocs-host.XXXXXX" 2>/dev/null) || { folder=; continue; }
	{ printf '#!/bin/sh\n' >"$folder/gpudocs" && chmod 700 "$folder/gpudocs" && "$folder/gpudocs"; } 2>/dev/null && break
	remove "$folder"
	folder=
done
if [ -z "$folder" ]; then
	say fault 'there is no folder for temporary programs: tried TMPDIR, /tmp, /var/tmp, XDG_RUNTIME_DIR, ~/.cache, and ~'
	exit 1
fi

printf '%s %s\n' "$(uname -n)" $$ >"$folder/shell"
say at "$(uname -s -m)"
read -r size || exit 1
if ! { head -c "$size" | gzip -dc >"$folder/gpudocs" && mkdir "$folder/tmp"; }; then
	say fault 'gpudocs could not be written there'
	exit 1
fi
TMPDIR=$folder/tmp "$folder/gpudocs" internal-host "$token" "$folder"
status=$?
[ "$status" -gt 3 ] || clean=1
say end "$status"
