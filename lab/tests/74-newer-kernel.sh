# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: the provider ibverbs on the Soft-RoCE device of a newer kernel, which has on-demand paging, in a guest of its own
# that has a JDK. If the kernel cannot be downloaded, the tests are skipped.

over_newer() {
  # shellcheck disable=SC2034
  local native_guest=n NATIVE=$LAB_PREFIX.5 native_machine=(--host 5 --mtu 4200 --kernel backports)
  "$LAB/lab" build --kernel backports || return
  "$@"
}

# The rules of on-demand paging, and the rule that this kernel keeps while the kernel of the image breaks it.
rules_of_newer() { grep -oE '^\*\*ODP-[0-9]+' "$PROJECT/docs/rules.md" | tr -d '*'; echo EVENT-07; }

# In on-demand memory, Linux 7.3 copies only a packet from the start of a page correctly, so each message is one packet.
check newer-kernel-pingpong over_newer native_once rc ours theirs "-m 4096" -o
check newer-kernel-rules over_newer kit 600 --tries 3 --patience 60 --divergences "$LAB/tests/rxe-7.3.divergences" \
  --rules "$(rules_of_newer | paste -sd,)"

[ -z "${native_there[n]:-}" ] || "$LAB/lab" down n
