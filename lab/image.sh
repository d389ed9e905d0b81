# SPDX-License-Identifier: Apache-2.0
# Part of lab: makes the image that VMs boot. Nothing here is installed on this machine.

# Packages in the guest. Only names; apt resolves the rest.
GUEST_PACKAGES=bash,coreutils,mount,iproute2,iputils-ping,kmod,procps,busybox-static,tcpdump,strace,libibverbs1,librdmacm1,ibverbs-providers,ibverbs-utils,rdmacm-utils,rdma-core,perftest
# Kernel modules copied into the guest, with their dependencies ...
GUEST_MODULES="virtio_pci virtio_blk virtio_net virtio_console virtio_rng erofs overlay 9p 9pnet_virtio
 rdma_rxe rdma_ucm rdma_cm ib_umad ib_uverbs crc32_generic crc32c_generic crc32c-intel crc32-pclmul
 veth dummy sch_netem sch_ingress act_mirred ifb af_packet"
# ... and the few the initramfs itself loads.
BOOT_MODULES="virtio_pci virtio_blk crc32c_generic erofs overlay 9p 9pnet_virtio"

# Raw ELF kernel out of a bzImage: QEMU enters it through PVH, which spares the guest
# the decompression. Falls back to the bzImage where that fails.
extract_vmlinux() {
  python3 - "$1" "$2" <<'PY'
import subprocess, sys
d = open(sys.argv[1], 'rb').read()
for magic, cmd in ((b'\x28\xb5\x2f\xfd', ['zstd', '-dc']), (b'\xfd7zXZ\0', ['xz', '-dc', '--single-stream']),
                   (b'\x02\x21\x4c\x18', ['lz4', '-dc']), (b'\x1f\x8b\x08', ['gzip', '-dc'])):
    i = d.find(magic)
    while i >= 0:
        try:
            out = subprocess.run(cmd, input=d[i:], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        except FileNotFoundError:
            break
        if out[:4] == b'\x7fELF':
            open(sys.argv[2], 'wb').write(out)
            sys.exit(0)
        i = d.find(magic, i + 1)
sys.exit(1)
PY
}

unpack_module() {  # file.ko[.xz|.zst] -> directory, uncompressed
  local b=${1##*/}
  case $b in
    *.ko.xz)  xz -dc "$1" >"$2/${b%.xz}" ;;
    *.ko.zst) zstd -qdc "$1" >"$2/${b%.zst}" ;;
    *.ko)     cp "$1" "$2/$b" ;;
  esac
}

# Drops the appended signatures: checking them costs the guest about a second of every boot, and the kernel takes
# unsigned modules (it only marks itself tainted).
strip_signatures() {
  python3 - "$@" <<'PY'
import struct, sys
MAGIC = b'~Module signature appended~\n'
for f in sys.argv[1:]:
    d = open(f, 'rb').read()
    if d.endswith(MAGIC):
        siglen = struct.unpack('>I', d[-len(MAGIC) - 4:-len(MAGIC)])[0]
        open(f, 'wb').write(d[:-len(MAGIC) - 12 - siglen])
PY
}

module_files() {  # kernel tree, version, modules... -> files in load order
  local tree=$1 kv=$2 m; shift 2
  for m; do
    /sbin/modprobe -d "$tree" -S "$kv" --show-depends "$m" 2>/dev/null | awk '$1=="insmod"{print $2}'
  done | awk '!s[$0]++'
}

# unpack_kernel WORK OUT: the packages of a kernel in WORK -> its files in WORK/kernel, what QEMU boots in OUT; prints its version.
unpack_kernel() {
  local tree=$1/kernel kv f
  for f in "$1"/*.deb; do dpkg-deb -x "$f" "$tree"; done
  rm -f "$1"/*.deb
  [ -e "$tree/lib" ] || ln -s usr/lib "$tree/lib"
  kv=$(ls "$tree/lib/modules"); /sbin/depmod -b "$tree" "$kv"
  [ -n "$(find "$tree" -name 'rdma_rxe.ko*')" ] || die "the kernel $kv has no rdma_rxe (cloud kernels do not)"
  f=$(find "$tree" -name 'vmlinuz*')
  extract_vmlinux "$f" "$2/kernel" || cp "$f" "$2/kernel"
  echo "$kv"
}

# copy_modules TREE VERSION ROOT: modules, uncompressed, a chosen few, with their own modules.dep
copy_modules() {
  local md=$3/lib/modules/$2 f
  mkdir -p "$md/lab"
  # shellcheck disable=SC2086
  for f in $(module_files "$1" "$2" $GUEST_MODULES); do unpack_module "$f" "$md/lab"; done
  strip_signatures "$md"/lab/*.ko
  cp "$1/lib/modules/$2"/modules.{builtin,builtin.modinfo,order} "$md/" 2>/dev/null || true
  /sbin/depmod -b "$3" "$2" 2>/dev/null
}

# make_initramfs WORK VERSION FILE: out of WORK/root a static busybox, the boot modules in load order; guest/init
make_initramfs() {
  local ir=$1/initramfs f i=10
  mkdir -p "$ir"/{bin,mod,proc,sys,dev,lower,rw,new}
  cp "$1/root/bin/busybox" "$ir/bin/busybox"
  # shellcheck disable=SC2086
  for f in $(module_files "$1/root" "$2" $BOOT_MODULES); do cp "$f" "$ir/mod/$i-${f##*/}"; i=$((i+1)); done
  install -m 755 "$LAB_HOME/guest/init" "$ir/init"
  (cd "$ir" && find . | LC_ALL=C sort | cpio -o -H newc --quiet) >"$3"
}

cmd_build() {
  case "${1:-} ${2:-}" in
    "--kernel backports") build_backports "${@:3}"; return ;;
    "--kernel "*) die "build --kernel backports" ;;
  esac
  [ "${1:-}" != --force ] || rm -rf "$LAB_IMAGE"
  [ ! -e "$LAB_IMAGE/.built" ] || { echo "lab: built already in $LAB_IMAGE (--force rebuilds)" >&2; return 0; }
  need qemu-system-x86_64 mmdebstrap mkfs.erofs cpio python3 xz zstd dpkg-deb apt-get
  local w meta pkg kv t0=$SECONDS
  mkdir -p "$LAB_IMAGE"; w=$LAB_IMAGE/work; rm -rf "$w"; mkdir -p "$w"

  # kernel: downloaded and unpacked, never installed on the host
  for meta in $LAB_KERNEL_META; do
    pkg=$(apt-cache depends "$meta" 2>/dev/null | awk '/Depends: linux-image/{print $2; exit}')
    [ -z "$pkg" ] || break
  done
  [ -n "${pkg:-}" ] || die "no kernel package among: $LAB_KERNEL_META (apt-get update first?)"
  echo "lab: kernel package $pkg" >&2
  (cd "$w" && apt-get download -qq "$pkg" 2>/dev/null) || die "apt-get download $pkg failed"
  kv=$(unpack_kernel "$w" "$LAB_IMAGE") || exit
  cp "$w/kernel/boot/config-$kv" "$LAB_IMAGE/config"
  echo "lab: kernel unpacked at $((SECONDS-t0)) s" >&2

  # root file system
  mmdebstrap --quiet --mode=auto --variant=essential --include="$GUEST_PACKAGES" \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/info/*' \
    --aptopt='APT::Install-Recommends "false"' \
    "$LAB_SUITE" "$w/root" || die "mmdebstrap failed"
  dpkg-query --admindir="$w/root/var/lib/dpkg" -W -f '${Package} ${Version}\n' >"$LAB_IMAGE/guest-packages.txt"
  echo "lab: root file system at $((SECONDS-t0)) s" >&2

  copy_modules "$w/kernel" "$kv" "$w/root"
  mkdir -p "$w/root/run/lab"; echo verbena-lab >"$w/root/etc/hostname"
  mkfs.erofs --quiet "$LAB_IMAGE/root.img" "$w/root" >/dev/null 2>&1 || mkfs.erofs "$LAB_IMAGE/root.img" "$w/root" >/dev/null
  make_initramfs "$w" "$kv" "$LAB_IMAGE/initramfs"
  echo "$kv" >"$LAB_IMAGE/kernel-version"
  rm -rf "$w"; touch "$LAB_IMAGE/.built"
  echo "lab: built $kv in $((SECONDS-t0)) s: $(du -sh "$LAB_IMAGE" | cut -f1) in $LAB_IMAGE" >&2
}

