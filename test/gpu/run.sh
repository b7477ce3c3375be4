#!/usr/bin/env bash
# The acceptance of gpudocs on a machine with an NVIDIA GPU. See docs/content/en/gpu-acceptance.md.
#
#   test/gpu/run.sh [LABEL]     check everything; LABEL names the report, by default after the GPU
#   test/gpu/run.sh pack        build what a machine without Go needs, into test/gpu/bin
#
# Needs nothing but bash; python3 for the comparisons, PyTorch for those with it, Go or what
# `pack` built. What is missing is skipped, with a message. No network.
#
#   GPUDOCS=FILE   a gpudocs to check, instead of building one
#   PYTHON=FILE    the Python with PyTorch, instead of python3
#   OUT=FOLDER     where the log, the figures and the report go, instead of test/gpu/out
#   SECONDS_MAX=N  no measurement begins when it could not end within N seconds (default 330)
#
# Exit code: 0 nothing differs, 1 something differs or failed, 2 nothing could be checked.
# shellcheck disable=SC2317 # step calls the functions
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 2
here=test/gpu bin=$PWD/test/gpu/bin

# test_program builds the tests that need a GPU into a folder.
test_program() { CGO_ENABLED=0 go test -c -trimpath -ldflags='-s -w' -o "$1/gpu.test" ./test/gpu; }

# pack builds gpudocs with and without cgo, and the tests that need a GPU.
pack() {
	mkdir -p "$bin" || return
	CGO_ENABLED=1 go build -trimpath -ldflags='-s -w' -o "$bin/gpudocs" ./cmd/gpudocs || return
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o "$bin/gpudocs-nocgo" ./cmd/gpudocs || return
	test_program "$bin" || return
	du -sh "$bin"
}
if [ "${1-}" = pack ]; then pack; exit; fi

label=${1-}
out=${OUT:-$here/out}
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
exec > >(tee "$out/acceptance.log") 2>&1
ended() { # the log is whole before the script ends
	rm -rf "$work"
	exec >&- 2>&-
	wait
	exit "$1"
}

start=$SECONDS
export ACCEPTANCE_DEADLINE=$(($(date +%s) + ${SECONDS_MAX:-330})) # for accept.py
export CUDA_DEVICE_ORDER=PCI_BUS_ID                                # one order of the GPUs for all
results=() failed=0 done_=0

note() { printf '%s\n' "$*"; }
# step NAME COMMAND...: 0 is ok, 77 skipped (with a message), anything else failed.
step() {
	local name=$1 code
	shift
	printf '\n== %s\n' "$name"
	"$@"
	code=$?
	case $code in
	0) results+=("ok       $name") done_=$((done_ + 1)) ;;
	77) results+=("skipped  $name") ;;
	*) results+=("FAILED   $name (exit code $code)") failed=$((failed + 1)) ;;
	esac
	return "$code"
}
skip() {
	note "skipped: $*"
	return 77
}

# build chooses the programs to check: what the caller gave, what Go builds here,
# or what pack built.
gpudocs=${GPUDOCS-} nocgo=${GPUDOCS_NOCGO-} built=
build() {
	if [ -z "$gpudocs" ] && command -v go >/dev/null; then
		note "building with $(go version)"
		if CGO_ENABLED=1 go build -o "$work/gpudocs" ./cmd/gpudocs && CGO_ENABLED=0 go build -o "$work/gpudocs-nocgo" ./cmd/gpudocs; then
			gpudocs=$work/gpudocs nocgo=$work/gpudocs-nocgo built=yes
		else
			note "Go could not build it (no network, or no C compiler?)"
		fi
	fi
	if [ -z "$gpudocs" ] && [ -x "$bin/gpudocs" ]; then
		note "using what 'run.sh pack' built"
		gpudocs=$bin/gpudocs nocgo=$bin/gpudocs-nocgo
	fi
	[ -n "$gpudocs" ] || { note "no gpudocs: install Go, set GPUDOCS, or run '$here/run.sh pack' elsewhere and bring $here/bin"; return 1; }
	gpudocs=$(cd "$(dirname "$gpudocs")" && pwd)/$(basename "$gpudocs")
	"$gpudocs" version
}

python=$(command -v "${PYTHON:-python3}" || true)
[ -z "${PYTHON-}" ] || [ -z "$python" ] || PATH=$(dirname "$python"):$PATH # gpudocs looks there for cuBLAS
accept() { # accept.py COMMAND ..., or skip where there is no Python
	[ -n "$python" ] || { skip "no python3"; return; }
	"$python" -B "$here/accept.py" --gpudocs "$gpudocs" --python "$python" --figures "$out/figures.jsonl" "$@"
}

# doctor_ran CODE: doctor ends with 1 if it has found something broken on the machine, which is
# its purpose.
doctor_ran() {
	[ "$1" -le 1 ] || { note "gpudocs doctor ended with exit code $1"; return 1; }
	[ "$1" -eq 0 ] || note "gpudocs doctor has found something broken on this machine"
}

# All GPUs of the machine, whatever this shell may use.
doctor_json() {
	env -u CUDA_VISIBLE_DEVICES "$1" doctor --json >"$2"
	doctor_ran $?
}

inventory() {
	doctor_json "$gpudocs" "$out/doctor.json" || return 1
	accept inventory "$out/doctor.json"
}

sources() {
	[ -x "$nocgo" ] || { skip "no gpudocs that was built without cgo (set GPUDOCS_NOCGO)"; return; }
	doctor_json "$nocgo" "$work/nocgo.json" || return 1
	accept sources "$out/doctor.json" "$work/nocgo.json"
}

# kernels runs the tests that need a GPU: the PTX kernel and cuBLAS, with odd shapes, comparing
# every element.
kernels() {
	local programs=$bin
	[ -z "$python" ] || CUBLAS_DIRS=$("$python" -c 'import sys; print(sys.prefix)')
	export CUBLAS_DIRS=${CUBLAS_DIRS-}
	if [ -n "$built" ]; then
		programs=$work
		test_program "$programs" || return 1
	fi
	[ -x "$programs/gpu.test" ] || { skip "neither Go nor $here/bin/gpu.test"; return; }
	(cd "$here" && exec "$programs/gpu.test" -test.timeout 120s -test.v -test.run '^TestGPU(Kernel|CuBLAS)$') | tee "$work/kernels.log"
	[ "${PIPESTATUS[0]}" -eq 0 ] || return 1
	grep -q '^--- PASS: TestGPU' "$work/kernels.log" || skip "no test ran on a GPU"
}

doctor() {
	local language
	for language in en es pt; do
		env LC_ALL="$language" "$gpudocs" doctor >"$work/doctor.$language"
		doctor_ran $? || return 1
	done
	tee "$out/doctor.txt" <"$work/doctor.en"
	accept doctor "$out/doctor.json"
}

report() {
	if [ -z "$label" ] && [ -n "$python" ]; then
		label=$(accept label "$out/doctor.json") || return 1
	fi
	label=${label:-gpu}
	"$gpudocs" verify --machine "$label" --rerun
	local code=$?
	# 1: a check failed, which the report tells. It counts as a failure here too.
	[ -s "results/$label.json" ] && cp "results/$label.json" "$out/$label.json" && note "report: results/$label.json"
	return "$code"
}

PATH=$PATH:/usr/lib/wsl/lib:/usr/local/nvidia/bin # where WSL2 and some clouds keep nvidia-smi
rm -f "$out/figures.jsonl"
step "gpudocs" build || ended 2
if ! command -v nvidia-smi >/dev/null; then
	note "no nvidia-smi in PATH: nothing to compare with. Is this a machine with an NVIDIA driver?"
	ended 2
fi
step "inventory against nvidia-smi, field by field" inventory
step "NVML against nvidia-smi -q -x, both by gpudocs" sources
step "doctor" doctor
step "GPU kernels with odd shapes" kernels
# One GPU, the first that this shell may use, so that all measure the same.
export CUDA_VISIBLE_DEVICES=${CUDA_VISIBLE_DEVICES-0}
first=${CUDA_VISIBLE_DEVICES%%,*}
all=$CUDA_VISIBLE_DEVICES
CUDA_VISIBLE_DEVICES=$first
step "matmul against torch.matmul, in turn" accept matmul
step "own PTX kernel against cuBLAS, fp32" accept kernel
step "memory bandwidth and copies against torch" accept copies
if [ "$all" = 0 ]; then unset CUDA_VISIBLE_DEVICES; else CUDA_VISIBLE_DEVICES=$all; fi
step "report of this repository's site" report

printf '\n== result, after %d s\n' $((SECONDS - start))
printf '%s\n' "${results[@]}"
note "figures and log: $out"
[ "$failed" -eq 0 ] || ended 1
[ "$done_" -gt 1 ] || ended 2 # nothing but the build
ended 0
