#!/bin/sh
# Make the programs that some tests drive available where that can be done without asking anybody: Debian's
# chromium (tests/browser), node with npm (the front end), CalculiX (tests/published) and gcc (tests/symbolic).
#
#   sh tools/install_programs.sh             install what is missing, as root on a system with apt; 1 if something is
#                                            missing still: the tests that need it are skipped, and the run says so
#   sh tools/install_programs.sh --complete  say nothing; 0 if no test has a reason to be skipped here
set -u

# command, then the Debian packages that bring it
programs="chromium:chromium,libatomic1 node:nodejs npm:npm ccx:calculix-ccx gcc:gcc,libc6-dev"

missing() {
    for program in $programs; do
        command -v "${program%%:*}" >/dev/null 2>&1 || printf ' %s' "${program%%:*}"
    done
}

if [ "${1:-}" = --complete ]; then
    # PARDISO is for these processors only, and root needs setpriv to give up a privilege
    case "$(uname -s) $(uname -m)" in "Linux x86_64") ;; *) exit 1 ;; esac
    [ -z "$(missing)" ] && command -v setpriv >/dev/null 2>&1 && [ -d frontend/node_modules/esbuild ]
    exit
fi

lacking=$(missing)
if [ -n "$lacking" ] && command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    echo "    installing with apt-get:$lacking"
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    export DEBIAN_FRONTEND=noninteractive
    apt-get update >"$log" 2>&1 || tail -n 3 "$log"
    for program in $programs; do
        command -v "${program%%:*}" >/dev/null 2>&1 && continue
        # one that cannot be had does not keep the others away
        packages=$(echo "${program#*:}" | tr , ' ')
        # shellcheck disable=SC2086
        apt-get install -y --no-install-recommends $packages >"$log" 2>&1 || tail -n 3 "$log"
    done
    lacking=$(missing)
fi

for program in $programs; do
    path=$(command -v "${program%%:*}") && echo "    ${program%%:*}: $path"
done
[ -z "$lacking" ] && exit 0
echo "    missing:$lacking; the tests that need them will be skipped. On Debian, as root: apt-get install" \
    "chromium libatomic1 nodejs npm calculix-ccx gcc libc6-dev"
exit 1
