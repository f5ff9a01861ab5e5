#!/bin/sh
# Make the programs that some tests drive available where that can be done without asking anybody: Debian's
# chromium (tests/browser), node with npm (the front end), CalculiX (tests/published), gcc (tests/symbolic) and valgrind
# (core/tests).
#
#   sh tools/install_programs.sh             install what is missing, as root on a system with apt; 1 if something is
#                                            missing still: the tests that need it are skipped, and the run says so
#   sh tools/install_programs.sh --only NAME the same for one of them
#   sh tools/install_programs.sh --compiler PYTHON
#                                            the same for what builds the core: a C++ compiler and PYTHON's headers
#   sh tools/install_programs.sh --petsc     PETSc, SLEPc and MPI for Debian's Python, of which no test of the others has need
#   sh tools/install_programs.sh --complete  say nothing; 0 if no test has a reason to be skipped here
set -u

# command, then the Debian packages that bring it
programs="chromium:chromium,libatomic1 node:nodejs npm:npm ccx:calculix-ccx gcc:gcc,libc6-dev valgrind:valgrind"

if [ "${1:-}" = --only ]; then
    programs=$(echo "$programs" | tr ' ' '\n' | grep "^$2:")
fi

missing() {
    for program in $programs; do
        command -v "${program%%:*}" >/dev/null 2>&1 || printf ' %s' "${program%%:*}"
    done
}

# The Debian packages that would bring what a build of the core lacks: a compiler that compiles, with its library, and
# the headers of an interpreter.
missing_for_core() {
    compiles=no
    for compiler in "${CXX:-c++}" g++ clang++; do
        # shellcheck disable=SC2086 # CXX may have options
        if echo '#include <vector>' | $compiler -x c++ -fsyntax-only - >/dev/null 2>&1; then
            compiles=yes
            break
        fi
    done
    [ "$compiles" = yes ] || printf ' g++'
    "$1" -c 'import os, sys, sysconfig
if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
    print(" python%d.%d-dev" % sys.version_info[:2], end="")'
}

can_install() {
    command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]
}

# Lists of packages, each a word with commas; one that cannot be had does not keep the others away.
install() {
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    export DEBIAN_FRONTEND=noninteractive
    apt-get update >"$log" 2>&1 || tail -n 3 "$log"
    for packages in "$@"; do
        # shellcheck disable=SC2046
        apt-get install -y --no-install-recommends $(echo "$packages" | tr , ' ') >"$log" 2>&1 || tail -n 3 "$log"
    done
}

if [ "${1:-}" = --petsc ]; then
    command -v mpiexec >/dev/null 2>&1 && /usr/bin/python3 -c 'import mpi4py, venv' 2>/dev/null &&
        ls /usr/lib/slepcdir >/dev/null 2>&1 && exit 0
    can_install && install python3-petsc4py,python3-slepc4py,python3-mpi4py,openmpi-bin,python3-venv,python3-dev
    exit 0
fi

if [ "${1:-}" = --complete ]; then
    # PARDISO is for these processors only, and root needs setpriv to give up a privilege
    case "$(uname -s) $(uname -m)" in "Linux x86_64") ;; *) exit 1 ;; esac
    [ -z "$(missing)" ] && command -v setpriv >/dev/null 2>&1 && [ -d frontend/node_modules/esbuild ]
    exit
fi

if [ "${1:-}" = --compiler ]; then
    lacking=$(missing_for_core "$2")
    [ -z "$lacking" ] && exit 0
    if can_install; then
        echo "    installing with apt-get:$lacking"
        # shellcheck disable=SC2086
        install $lacking
        lacking=$(missing_for_core "$2")
        [ -z "$lacking" ] && exit 0
    fi
    echo "flexframe is built with a C++ compiler and Python's headers; install them (on Debian, as root:" \
        "apt-get install$lacking; on macOS: xcode-select --install)" >&2
    exit 1
fi

lacking=$(missing)
if [ -n "$lacking" ] && can_install; then
    echo "    installing with apt-get:$lacking"
    wanted=""
    for program in $programs; do
        command -v "${program%%:*}" >/dev/null 2>&1 || wanted="$wanted ${program#*:}"
    done
    # shellcheck disable=SC2086
    install $wanted
    lacking=$(missing)
fi

for program in $programs; do
    path=$(command -v "${program%%:*}") && echo "    ${program%%:*}: $path"
done
[ -z "$lacking" ] && exit 0
echo "    missing:$lacking; the tests that need them will be skipped. On Debian, as root: apt-get install" \
    "$(for program in $programs; do echo "${program#*:}"; done | tr ',\n' '  ')"
exit 1
