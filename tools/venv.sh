#!/bin/sh
# Make .venv, or mend it, and install this project in it with one extra:
#
#     sh tools/venv.sh course|site|test|dev
#
# The site has one of its own, .venv-site: where JupyterLite is installed, JupyterLab finds an
# extension that it cannot load.
#
# Plain sh, because it runs before there is a Python to trust. It does nothing when nothing has
# changed since it last succeeded, so it can stand before every make target.
#
# What can be set: PYTHON, the interpreter; VERSIONS=newest, the newest versions that pyproject.toml
# allows instead of those in constraints.txt; INSTALLER=pip, to do without uv.
set -eu

extra=${1:?"which extra? course, site, test or dev"}
cd -- "$(dirname -- "$0")/.."
here=$(pwd -P)
case $extra in site) venv=.venv-site ;; *) venv=.venv ;; esac
python=$venv/bin/python

say() { printf '%s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

is_debian() { command -v apt-get >/dev/null 2>&1; }

# Run a command as root, if there is a way to.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"
  elif command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then sudo "$@"
  else return 1
  fi
}

new_enough='import sys; sys.exit(sys.version_info < (3, 11))'
runs() { "$1" -c "$2" >/dev/null 2>&1; }

# A name on PATH is not enough: a version manager's shim exists for versions it does not have.
find_python() {
  for name in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11; do
    if runs "$name" "$new_enough"; then printf '%s\n' "$name"; return; fi
  done
  die "Python 3.11 or newer is needed, and none was found (tried: ${PYTHON:-}${PYTHON:+, }python3," \
      "python3.14 to python3.11). On Debian: apt-get install python3 python3-venv." \
      "On macOS: python.org or 'brew install python'. Or name one: make lab PYTHON=/path/to/python3"
}

# Debian keeps ensurepip, without which venv cannot bring pip, in a package of its own.
ensure_venv_module() {
  runs "$1" 'import ensurepip, venv' && return
  version=$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  if is_debian; then
    say "Installing python$version-venv with apt-get."
    as_root apt-get -qq update >&2 || :
    as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get -qq -o DPkg::Lock::Timeout=300 install -y "python$version-venv" >&2 || :
  fi
  runs "$1" 'import ensurepip, venv' && return
  die "$1 cannot make virtual environments. On Debian: apt-get install python$version-venv"
}

# Why it cannot be used as it is; nothing when it can. Scripts in a venv hold absolute paths,
# so one that was moved or copied with its checkout is of no use, and one that pip was killed in
# may hold half a package that pip takes for a whole one.
fault() {
  if ! [ -d "$venv" ]; then echo "there is none"
  elif [ -e "$venv/installing" ]; then echo "an installation in it was interrupted"
  elif ! grep -qF "$here/$venv" "$venv/bin/activate" 2>/dev/null; then
    echo "it was made elsewhere or only half"
  elif [ -e "$venv/made-in" ] && [ "$(cat "$venv/made-in")" != "$here" ]; then
    echo "it was made in $(cat "$venv/made-in")"
  elif ! runs "$python" "$new_enough; import pip"; then echo "its Python no longer runs"
  fi
}

make_venv() {
  base=$(find_python) || exit 1
  ensure_venv_module "$base"
  rm -rf "$venv"
  "$base" -m venv "$venv"
  # A stop between the two lines leaves a venv without this file, which is still whole.
  printf '%s\n' "$here" >"$venv/made-in"
}

pip() { "$python" -m pip --disable-pip-version-check "$@" >&2; }

# uv installs the same versions in a fraction of pip's time. One that the machine has will do; else
# its own wheel comes by pip, where there is one for the machine.
find_uv() {
  [ "${INSTALLER:-uv}" = uv ] || return 1
  for name in uv "$venv/bin/uv"; do
    if "$name" --version >/dev/null 2>&1; then printf '%s\n' "$name"; return; fi
  done
  pip install --quiet --only-binary :all: uv 2>/dev/null && printf '%s\n' "$venv/bin/uv"
}

# Install by uv, and by pip where uv is not to be had or cannot (it reads no pip.conf, so it knows
# nothing of a mirror that is named there). $1 is what bounds the versions; it may be empty.
install_by_either() {
  if uv=$(find_uv); then
    say "Installing dtree_lab and what '$extra' needs into $venv with uv (some seconds, the first time)."
    # shellcheck disable=SC2086 - the bounds are several words
    "$uv" pip install --quiet --python "$python" $1 --editable ".[$extra]" >&2 && return
    say "uv could not; pip tries now."
  fi
  say "Installing dtree_lab and what '$extra' needs into $venv with pip (a minute or so, the first time)."
  # shellcheck disable=SC2086
  pip install --quiet $1 --editable ".[$extra]"
}

install_extra() {
  trap 'exit 130' INT TERM HUP
  : >"$venv/installing"
  case ${VERSIONS:-} in newest) bounds=--upgrade ;; *) bounds="--constraint constraints.txt" ;; esac
  if install_by_either "$bounds"; then
    rm -f "$venv/installing"
  else
    # pip failed by itself (no network, say) and has left what was there before.
    rm -f "$venv/installing"
    die "Installing failed: see the message above."
  fi
  trap - INT TERM HUP
}

why=$(fault)
if [ -n "$why" ]; then
  say "Making $venv: $why."
  make_venv
fi

wanted="$(cat pyproject.toml constraints.txt | cksum)${VERSIONS:+ $VERSIONS}"
stamp=$venv/installed-$extra
if ! [ -e "$stamp" ] || [ "$(cat "$stamp")" != "$wanted" ]; then
  install_extra
  case $extra in
    dev) set -- dev test course ;;
    test) set -- test course ;;
    *) set -- "$extra" ;;
  esac
  for done in "$@"; do printf '%s\n' "$wanted" >"$venv/installed-$done"; done
fi
