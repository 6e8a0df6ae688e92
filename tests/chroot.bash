# chroot.bash: minimal Debians in folders, for scripts that need root and mmdebstrap; sourced
# at the project's top.  Ends with status 77, saying why, where there can be none.
# shellcheck shell=bash

cannot() {
    echo "tests/${0##*/}: not run: $1"
    exit 77
}

[ "$(id -u)" -eq 0 ] || cannot "it needs root"
for program in git mmdebstrap unshare; do
    command -v "$program" >/dev/null || cannot "$program is not installed"
done
git=(git -c safe.directory="$PWD")
"${git[@]}" rev-parse -q --verify HEAD >/dev/null 2>&1 || cannot "this is no clone made by git"
unshare --mount --pid --fork --mount-proc true 2>/dev/null || cannot "nothing can be mounted here"

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 1' HUP INT TERM # bash does so when what it runs has ended
chmod 755 "$work" # for the user that apt downloads as
log=$work/log

# The packages come from where this machine has its own from, and in the same way.
# shellcheck disable=SC2016
mirror=$(. /etc/os-release && [ "$ID" = debian ] &&
    apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    awk -v suite="$VERSION_CODENAME" '$1 == suite && $2 == "main" && $3 ~ /^https?:/ && !n++ { print $3 }') || mirror=
apt-config dump --no-empty Acquire::http Acquire::https Acquire::Check-Valid-Until \
    Acquire::Check-Date >"$work/apt.conf"
proxies=()
for name in http_proxy https_proxy no_proxy; do
    [ -z "${!name:-}" ] || proxies+=("$name=${!name}")
done

# make_root SUITE: a minimal Debian with the last commit, in $root.
make_root() {
    local include=()
    [[ $mirror != https:* ]] || include=(--include=ca-certificates)
    mmdebstrap --mode=root --variant=minbase --format=directory "${include[@]}" \
        --aptopt="$work/apt.conf" --aptopt='APT::Install-Recommends "false"' \
        "$1" "$root" ${mirror:+"$mirror"} &&
        { cp --remove-destination /etc/hosts /etc/resolv.conf "$root/etc/" || true; } &&
        mkdir "$root/edgefold" &&
        "${git[@]}" archive HEAD | tar -xf - -C "$root/edgefold"
}

# inside COMMAND: runs it in $root, as a new user of a new machine would.  What is
# mounted and what still runs ends with it.
inside() {
    # shellcheck disable=SC2016
    unshare --mount --pid --fork --kill-child sh -euc '
        root=$1 command=$2
        shift 2
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        exec chroot "$root" env -i -C /edgefold HOME=/root \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            "$@" bash -c "$command"' - "$root" "$1" "${proxies[@]}"
}

# step SUITE WHAT CLOSING COMMAND...: runs it, and shows how it ended; its last line
# must match the extended regular expression.
failed=0
step() {
    local what="$1: $2" closing=$3 start=$SECONDS status=0
    shift 3
    "$@" </dev/null >"$log" 2>&1 || status=$?
    if [ "$status" -eq 0 ] && tail -n 1 "$log" | grep -Eq "$closing"; then
        echo "== $what: done in $((SECONDS - start)) s; its last lines:"
        tail -n 3 "$log"
    else
        echo "== $what: FAILED with status $status after $((SECONDS - start)) s; from its output:"
        awk '/^(not )?ok / { shown = /^not/ } shown' "$log"
        tail -n 30 "$log"
        failed=1
        return 1
    fi
}
