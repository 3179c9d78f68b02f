#!/usr/bin/env bash
# Build the wheel, install it into a new environment outside the tree, and play and verify a match there: what works in
# the tree only because the tree is there fails here.
# Usage: tests/wheel_check.sh PYTHON, a Python that has `build` and `hatchling`.
set -euo pipefail

python=$(realpath --no-symlinks "$1")
tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
fail() { echo "wheel check: $*" >&2; exit 1; }

cd "$tree"
"$python" -m build --wheel --no-isolation --outdir "$place/dist" . >"$place/build.log" 2>&1 ||
    { cat "$place/build.log"; fail "the wheel cannot be built."; }
wheel=$(echo "$place"/dist/*.whl)

# The same versions as in the lock, whose hashes pip would also demand of the wheel itself.
# A line's marker stays: of some libraries the version depends on that of Python.
sed -n '/^[A-Za-z0-9._-]*==/{s/ *\\$//;p}' requirements-dev.lock >"$place/versions.txt"
"$python" -m venv "$place/venv"
"$place/venv/bin/python" -m pip install --quiet -c "$place/versions.txt" "$wheel"

# Everything below sees the installed files alone.
unset PYTHONPATH
cd "$place"
installed=$("$place/venv/bin/python" -c 'import referee; print(referee.__path__[0])')
[[ $installed == "$place"/venv/* ]] || fail "the package comes from $installed, not from the wheel."
(cd "$tree" && git ls-files referee games | grep -v '\.py$' || true) | while read -r file; do
    [[ ! -e $tree/$file || -e $installed/../$file ]] || fail "$file is missing from the wheel."
done
compiled=("$installed"/_compiled/template_*.py)
[[ -e ${compiled[0]} ]] || fail "the wheel has no compiled templates."
compiled=("$installed"/_compiled/data_*.py)
[[ ${#compiled[@]} -ge 4 ]] || fail "the wheel has no data made ready."

referee=$place/venv/bin/referee
export REFEREE_KEY=$place/referee.key
"$referee" --version
"$referee" keys new >keys.log
"$referee" selfplay cosmic-league match --bots random --seed 1 >selfplay.log || { cat selfplay.log; fail "selfplay failed."; }
"$referee" verify match --public-key "$REFEREE_KEY.pub" >verify.log || { cat verify.log; fail "the match does not verify."; }
[[ -n $(find match -name '*.html' -print -quit) ]] || fail "the match has no report in HTML."
"$referee" selfplay phantom-league galaxy --bots random --seed 1 --option rounds=1 >selfplay.log ||
    { cat selfplay.log; fail "selfplay of the largest game failed."; }

cp -r match spoilt
printf '\n' >>spoilt/0001.toml
status=0
"$referee" verify spoilt --public-key "$REFEREE_KEY.pub" >spoilt.log 2>&1 || status=$?
[[ $status == 4 ]] || { cat spoilt.log; fail "a save with one byte too many left with status $status, not 4."; }
echo "wheel check: a match was played and verified from $(basename "$wheel")."
