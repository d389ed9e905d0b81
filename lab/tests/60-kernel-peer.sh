# Part of lab/verify: the rules about what a peer sees, with the software device here and the kernel's in the guest that has a JDK.
# All packets come by this side, which commands the faults of both directions.

peer_divergences=$LAB/tests/peer.divergences
peer_diverging() { grep -oE '^[A-Z]+-[0-9]+' "$peer_divergences" | sort; }
peer_kept() {
  grep -oE '^\*\*(WIRE|RETRY|RNR|MEM)-[0-9]+' "$PROJECT/docs/rules.md" | tr -d '*' | sort | comm -23 - <(peer_diverging)
}

# An agent in the guest carries out what is asked of the kernel's device; it stays until the guest goes.
agent_at=$LAB_PREFIX.3:7000
agent_up() {
  [ ! -e "$OUT/agent.log" ] || return 0
  native_up || return 1
  native 3600 conformance --provider ibverbs --device rxe0 --listen "$agent_at" >"$OUT/agent.log" 2>&1 &
  for _ in $(seq 1200); do
    ! grep -q waits "$OUT/agent.log" || return 0
    sleep 0.1
  done
  return 1
}

kernel_peer() {
  agent_up && verbena "$1" conformance --peer "$agent_at" --seed 1 "${@:2}"
}
check kernel-peer-rules kernel_peer 900 --tries 3 --patience 60 --rules "$(peer_kept | paste -sd,)"

# One rule after the other, each with its packets.
kernel_peer_divergence() {
  agent_up && capture_begin || return 1
  kernel_peer 300 --tries 1 --patience 10 --divergences "$peer_divergences" --rules "$1"
  local code=$?
  capture_end
  return $code
}
for rule in $(peer_diverging); do
  check "kernel-peer-$rule" kernel_peer_divergence "$rule"
done
