# Runs the blocks of one bash session; the package comment says how and why.
#
# Only builtins, so that a step costs no fork and an author's PATH cannot break
# it, and nothing newer than bash 3.2. Every name starts with __gpudocs_. The
# author may set -u, -e, -x, -C or IFS: each line here has to live with that.

# Fd 3 belongs to the author; 200 is above what people write and below the 256
# descriptors that macOS grants.
exec 200<&3 3<&-

__gpudocs_ctl=$1; shift
__gpudocs_nonce=    # the step in work, empty between steps
__gpudocs_file=     # its source, below $__gpudocs_ctl/src
__gpudocs_line=0    # where its first command failed
__gpudocs_status=0
__gpudocs_errexit=on # set -e is off until the next block: at first, and while a failed one unwinds
__gpudocs_goodbye=  # the author's EXIT trap
__gpudocs_trap=
__gpudocs_over=

# Records go through a path, not a descriptor: no child can inherit it, and the
# EXIT trap, which runs inside the block's redirections, reaches it too.
__gpudocs_report() { # kind status nonce
  builtin printf '{"nonce":"%s","kind":"%s","exit":%d,"line":%d}\n' \
    "$3" "$1" "$2" "$__gpudocs_line" >>"$__gpudocs_ctl/results"
}

# Closes the step before, if there was one, and reads the next command. It
# stands in the loop's condition because a stray `continue` in a block lands
# there and nowhere else.
__gpudocs_next() { # status
  if [[ -n $__gpudocs_nonce ]]; then
    # An EXIT trap that the author set replaced ours: keep it for the end.
    builtin trap -p EXIT >|"${__gpudocs_ctl%/*}/trap"
    IFS= builtin read -r -d '' __gpudocs_trap <"${__gpudocs_ctl%/*}/trap"
    builtin eval "__gpudocs_trap=($__gpudocs_trap)"
    [[ ${__gpudocs_trap[2]-} == "__gpudocs_exit "* ]] ||
      __gpudocs_goodbye=${__gpudocs_trap[2]-}
    # A signal may run the EXIT trap between any two commands: one record for a step.
    builtin set -- "$1" "$__gpudocs_nonce"
    __gpudocs_nonce=
    __gpudocs_report done "$1" "$2"
  fi
  __gpudocs_line=0
  while __gpudocs_nonce=
    IFS= builtin read -r -u 200 __gpudocs_nonce &&
      IFS= builtin read -r -u 200 __gpudocs_mode &&
      IFS= builtin read -r -u 200 __gpudocs_file; do
    [[ $__gpudocs_mode == sync ]] || return 0
    __gpudocs_report ready 0 "$__gpudocs_nonce"
  done
  __gpudocs_over=yes # the engine closed its end, or is gone
  return 1
}

# Called by the ERR trap in the frame that failed; succeeds if that frame is to
# be left, which is where set -e would end the shell: so set -e goes off first.
# The innermost frame of the block's own file gives the line.
__gpudocs_failed() { # line
  if [[ -z $__gpudocs_errexit ]]; then
    case $- in
      *e*) builtin set +e; __gpudocs_errexit=on ;;
      *) return 1 ;; # the author's set +e, or a command substitution
    esac
  fi
  if [[ $__gpudocs_line == 0 &&
    ${BASH_SOURCE[1]} == "$__gpudocs_ctl/src/$__gpudocs_file" ]]; then
    __gpudocs_line=$1
  fi
  [[ ${BASH_SOURCE[1]} != "${BASH_SOURCE[0]}" ]]
}

# Reports before the author's own EXIT trap runs, as that may call exit itself.
# Returns the status, so that the author's trap finds it in $?.
__gpudocs_exit() { # status
  builtin trap - ERR
  builtin set +e
  [[ -z $__gpudocs_nonce ]] || __gpudocs_report exit "$1" "$__gpudocs_nonce"
  return "$1"
}

# A block that redefines these by accident fails there and then.
builtin readonly -f __gpudocs_report __gpudocs_next __gpudocs_failed __gpudocs_exit

# No function around `source`: inside one, the author's `declare` would be local.
# Two loops, so that a stray `break` in a block ends that block, with status 1,
# and not the session.
until [[ -n $__gpudocs_over ]]; do
  while __gpudocs_next "$?"; do
    [[ -z $__gpudocs_errexit ]] || { __gpudocs_errexit=; set -e; }
    set -E
    # The redirection hides the trap from an author's set -x.
    trap '{ __gpudocs_status=$?; __gpudocs_failed "$LINENO" && return "$__gpudocs_status"; } 2>/dev/null' ERR
    trap '__gpudocs_exit "$?"; eval "$__gpudocs_goodbye"' EXIT
    builtin source "$__gpudocs_ctl/src/$__gpudocs_file" \
      >>"$__gpudocs_ctl/stdout" 2>>"$__gpudocs_ctl/stderr" 200<&-
  done
done
