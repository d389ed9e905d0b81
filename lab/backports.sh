# SPDX-License-Identifier: Apache-2.0
# Part of lab: a second, newer kernel for VMs, which boots the root image of the first. Nothing is installed on this machine.

LAB_BACKPORTS=$LAB_CACHE/backports          # what build --kernel backports makes

# Since 7.3 the kernel, its modules and its configuration are three packages. apt reads the suite through a configuration of this
# build, so that the host's own stays as it is. The exit code 77 means that the kernel cannot be downloaded.
build_backports() {
  [ "${1:-}" != --force ] || rm -rf "$LAB_BACKPORTS"
  [ ! -e "$LAB_BACKPORTS/.built" ] || return 0
  [ -e "$LAB_IMAGE/.built" ] || cmd_build
  need apt-cache apt-get dpkg-deb cpio python3 xz zstd
  local w=$LAB_BACKPORTS/work mirror kv pkg t0=$SECONDS
  unavailable() { rm -rf "$w"; echo "lab: no kernel of $LAB_BACKPORTS_SUITE: $*" >&2; exit 77; }
  rm -rf "$w"; mkdir -p "$w"/{state/lists,cache/archives}/partial "$w/root/usr/lib"
  # shellcheck disable=SC2016
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | head -n 1)
  [ -n "$mirror" ] || unavailable "the apt of this machine has no mirror of Debian (apt-get update first?)"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $LAB_BACKPORTS_SUITE main" >"$w/sources.list"
  cat >"$w/apt.conf" <<END
Dir::State "$w/state";
Dir::Cache "$w/cache";
Dir::Etc::sourcelist "$w/sources.list";
Dir::Etc::sourceparts "-";
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
END
  apt-get -c "$w/apt.conf" update -qq --error-on=any >/dev/null 2>&1 || unavailable "apt-get update fails for this suite"
  pkg=$(apt-cache -c "$w/apt.conf" depends linux-image-amd64 2>/dev/null | awk '/Depends: linux-image/{print $2; exit}')
  kv=${pkg#linux-image-}
  (cd "$w" && apt-get -c "$w/apt.conf" download -qq linux-{base,binary,modules}-"$kv" 2>/dev/null) ||
    unavailable "the packages of the kernel '$kv' cannot be downloaded"
  kv=$(unpack_kernel "$w" "$LAB_BACKPORTS") || exit

  ln -s usr/lib "$w/root/lib"
  copy_modules "$w/kernel" "$kv" "$w/root"
  (cd "$w/root" && cpio -id --quiet '*bin/busybox') <"$LAB_IMAGE/initramfs"
  make_initramfs "$w" "$kv" "$LAB_BACKPORTS/initramfs"
  # The root image has only the modules of the first kernel. guest/init copies these into the guest.
  (cd "$w/root" && find usr | LC_ALL=C sort | cpio -o -H newc --quiet) >>"$LAB_BACKPORTS/initramfs"
  echo "$kv" >"$LAB_BACKPORTS/kernel-version"
  rm -rf "$w"; touch "$LAB_BACKPORTS/.built"
  echo "lab: built $kv in $((SECONDS-t0)) s: $(du -sh "$LAB_BACKPORTS" | cut -f1) in $LAB_BACKPORTS" >&2
}
