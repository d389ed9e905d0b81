# Part of lab/verify: the rules with the software device here and the kernel's in the guest that has a JDK.
# All packets come by this side, which commands the faults of both directions.

peer_divergences=$LAB/tests/peer.divergences
peer_diverging() { grep -oE '^[A-Z]+-[0-9]+' "$peer_divergences" | sort; }
# All but what the kernel does otherwise. Some of that it can do only to itself.
peer_kept() { kept | comm -23 - <(peer_diverging); }

# An agent in the guest carries out what is asked of the kernel's device; it stays until the guest goes.
agent_at=$NATIVE:7000
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
check kernel-peer-rules kernel_peer 1800 --tries 3 --patience 60 --rules "$(peer_kept | paste -sd,)"

# One rule after the other, each with its packets.
kernel_peer_divergence() {
  agent_up && capture_begin || return 1
  kernel_peer 300 --tries 1 --patience 5 --divergences "$peer_divergences" --rules "$1"
  local code=$?
  capture_end
  return $code
}
on_the_wire='^(MEM|UD)-'
for rule in $(peer_diverging | grep -E "$on_the_wire"); do
  check "kernel-peer-$rule" kernel_peer_divergence "$rule"
done
# Those that only a program sees. What must not wait for long, as it waits in vain.
check kernel-peer-divergences kernel_peer 600 --tries 3 --patience 3 --divergences "$peer_divergences" \
  --rules "$(peer_diverging | grep -vE "$on_the_wire" | paste -sd,)"
