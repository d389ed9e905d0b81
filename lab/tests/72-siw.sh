# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: the provider ibverbs on the kernel's Soft-iWARP, a second driver, in a guest of its own that has a JDK. iWARP has
# reliable connections alone, which rdma_cm makes, and neither immediate data nor atomics.

over_siw() {
  local native_guest=s NATIVE=$LAB_PREFIX.4 native_machine=(--host 4 --rdma siw)
  "$@"
}

check siw-rping over_siw native_rdma rping ours ours
check siw-rping-client over_siw native_rdma rping theirs ours
check siw-rping-server over_siw native_rdma rping ours theirs
check siw-ucmatose-client over_siw native_rdma ucmatose theirs ours
check siw-ucmatose-server over_siw native_rdma ucmatose ours theirs
check siw-rdma-client over_siw native_rdma rdma theirs ours
check siw-rdma-server over_siw native_rdma rdma ours theirs
check siw-demo over_siw native_demo
check siw-lifecycles over_siw native 600 lifecycles --provider ibverbs -d siw0 --seconds 20 --threads 3

[ -z "${native_there[s]:-}" ] || "$LAB/lab" down s
