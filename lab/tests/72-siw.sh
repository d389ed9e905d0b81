# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: the provider ibverbs on the kernel's Soft-iWARP, a second driver, in a guest of its own that has a JDK. iWARP has
# reliable connections alone, which rdma_cm makes, and neither immediate data nor atomics.

over_siw() {
  local native_guest=s NATIVE=$LAB_PREFIX.4 native_machine=(--host 4 --rdma siw)
  "$@"
}

# siw gives up a connection that is not accepted within five seconds (MPAREP_TIMEOUT), which a JVM that has just started may need under
# emulation. Only a run in which the client says that this happened is repeated.
siw_rdma() {
  local try late='UNREACHABLE, error:? -110|REJECTED, error:? -104|rdma_connect: Connection (timed out|reset)'
  for try in 1 2 3 4; do
    # shellcheck disable=SC2034
    [ $try = 1 ] || remark="try $try"
    ! over_siw native_rdma "$@" || return 0
    grep -qE "$late" "$CASE.said" || return 1
  done
  return 1
}

check siw-rping siw_rdma rping ours ours
check siw-rping-client over_siw native_rdma rping theirs ours
check siw-rping-server siw_rdma rping ours theirs
check siw-ucmatose-client over_siw native_rdma ucmatose theirs ours
check siw-ucmatose-server siw_rdma ucmatose ours theirs
check siw-rdma-client over_siw native_rdma rdma theirs ours
check siw-rdma-server siw_rdma rdma ours theirs
check siw-demo over_siw native_demo
check siw-lifecycles over_siw native 600 lifecycles --provider ibverbs -d siw0 --seconds 10 --threads 3

# The kit, as 50-ibverbs.sh runs it over rxe. A queue pair that waits for a state waits in vain as well.
siw_kit() {
  over_siw native "$1" conformance --provider ibverbs --device siw0 --address "$LAB_PREFIX.4" --seed 1 --tries 2 "${@:2}"
}
siw_list=$LAB/tests/siw.divergences
siw_diverge() { siw_kit 600 --patience "$1" --divergences "$siw_list" --rules "$simple,$2"; }
siw_in_vain() { grep -E '\| (only|state) ' "$siw_list" | grep -oE '^[A-Z]+-[0-9]+' | sort -u; }
siw_others() { divergences=$siw_list diverging | comm -23 - <(siw_in_vain); }
check siw-rules siw_kit 600 --patience 60 --rules "$(divergences=$siw_list kept | paste -sd,)"
check siw-divergences siw_diverge 60 "$(siw_others | paste -sd,)"
check siw-divergences-in-vain siw_diverge 2 "$(siw_in_vain | paste -sd,)"

[ -z "${native_there[s]:-}" ] || "$LAB/lab" down s
