# SPDX-License-Identifier: Apache-2.0
# Part of lab: builds the kernel's Soft-iWARP driver for the image, out of Debian's packages. Nothing is installed on this machine.

# Debian's kernels come without the driver, so its sources are compiled against the headers of the image's kernel. Both are kept by
# Debian for some versions back; where the image's is gone, lab build --force makes an image of the newest one.
cmd_siw() {
  [ ! -e "$LAB_IMAGE/siw.ko" ] || return 0
  [ -e "$LAB_IMAGE/.built" ] || cmd_build
  need apt-cache apt-get dpkg-deb make gcc xz strip
  local kv flavourless series version work=$LAB_IMAGE/siw t0=$SECONDS
  kv=$(cat "$LAB_IMAGE/kernel-version")
  flavourless=${kv%-amd64} series=$(cut -d. -f1,2 <<<"$kv")
  version=$(apt-cache show "linux-headers-$kv" 2>/dev/null | sed -n 's/^Version: //p' | head -n 1)
  [ -n "$version" ] || die "Debian has no headers of the image's kernel $kv any more (lab build --force takes the newest kernel)"
  rm -rf "$work"; mkdir -p "$work"
  (
    cd "$work"
    apt-get download -qq "linux-headers-$kv=$version" "linux-headers-$flavourless-common=$version" \
      "linux-kbuild-$flavourless=$version" "linux-source-$series=$version" 2>/dev/null ||
      die "the sources and headers of the kernel $version cannot be downloaded"
    for package in linux-headers-*.deb linux-kbuild-*.deb; do dpkg-deb -x "$package" headers; done
    # Their makefile names the folder that they would be installed to.
    sed -i "s,/usr/src/,$work/headers&," "headers/usr/src/linux-headers-$kv/Makefile"
    dpkg-deb --fsys-tarfile linux-source-*.deb | tar -xO "./usr/src/linux-source-$series.tar.xz" | xz -T0 -dc |
      tar -x --strip-components=4 "linux-source-$series/drivers/infiniband/sw/siw"
    make -s -j"$(nproc)" -C "headers/usr/src/linux-headers-$kv" M="$work/siw" CC=gcc CONFIG_RDMA_SIW=m CONFIG_DEBUG_INFO_BTF_MODULES= modules >make.log 2>&1 ||
      { cat make.log >&2; die "siw does not compile"; }
    strip -g siw/siw.ko -o siw.ko
    mv siw.ko "$LAB_IMAGE/siw.ko"
  )
  rm -rf "$work"
  echo "lab: built siw for $kv in $((SECONDS-t0)) s" >&2
}
