#!/usr/bin/env bash
# Fetches the public courses of courses.tsv, each at its commit, into folders below DIR, for TestCourses:
#
#     test/dialects/fetch.sh DIR && GPUDOCS_COURSES=DIR go test ./test/dialects -run TestCourses
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: $0 DIR" >&2; exit 2; }
mkdir -p "$1"
grep -v '^#' "$(dirname "$0")/courses.tsv" | while IFS=$'\t' read -r name repository commit _; do
	[ ! -e "$1/$name" ] || continue
	git init -q "$1/$name.part"
	git -C "$1/$name.part" fetch -q --depth 1 "$repository" "$commit"
	git -C "$1/$name.part" checkout -q FETCH_HEAD
	mv "$1/$name.part" "$1/$name"
done
