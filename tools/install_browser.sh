#!/bin/sh
# Make Debian's chromium available to the browser tests where that can be done without asking anybody.
# Never fails: without a browser the tests in tests/browser are skipped, and say so.
set -u

if command -v chromium >/dev/null 2>&1; then
    echo "    browser: $(command -v chromium)"
    exit 0
fi

skip() {
    echo "    no browser: $1; the browser tests will be skipped"
    exit 0
}

command -v apt-get >/dev/null 2>&1 || skip "chromium is not installed and there is no apt-get to install it with"
[ "$(id -u)" = 0 ] || skip "chromium is not installed and only root may install it (apt-get install chromium libatomic1)"

echo "    installing chromium with apt-get"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
if { apt-get update && apt-get install -y --no-install-recommends chromium libatomic1; } >"$log" 2>&1; then
    echo "    browser: $(command -v chromium)"
else
    tail -n 3 "$log"
    skip "apt-get could not install chromium"
fi
