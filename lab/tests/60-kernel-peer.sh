# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: the rules with the software device here and the kernel's in the guest that has a JDK, either commanding.
# All packets come by this side, which commands the faults of both directions.

peer_divergences=$LAB/tests/peer.divergences
peer_diverging() { grep -oE '^[A-Z]+-[0-9]+' "$peer_divergences" | sort -u; }
on_the_wire='^(MEM|RETRY|RNR|UD|WIRE)-'
peer_wire() { grep -oE '^\*\*(WIRE|RETRY|RNR|MEM)-[0-9]+' "$PROJECT/docs/rules.md" | tr -d '*' | sort | comm -23 - <(peer_diverging); }
# All others but what the kernel does otherwise. Some of that it can do only to itself.
peer_kept() { kept | comm -23 - <(peer_diverging) | comm -23 - <(peer_wire); }

# An agent in the guest carries out what is asked of the kernel's device; it stays until the guest goes.
agent_at=$NATIVE:7000
agent_up() {
  [ ! -e "$OUT/agent.log" ] || return 0
  native_up || return 1
  native 3600 conformance --provider ibverbs --device rxe0 --patience 60 --listen "$agent_at" >"$OUT/agent.log" 2>&1 &
  for _ in $(seq 1200); do
    ! grep -q waits "$OUT/agent.log" || return 0
    sleep 0.1
  done
  return 1
}

# Under emulation timers of some milliseconds run out though nothing is lost (RETRY-09 gives a request one retry), and a datagram may be
# lost: so many tries of a run may be repeated with the same values. The report names each.
repeats=10

kernel_peer() {
  agent_up && verbena "$1" conformance --repeats $repeats --peer "$agent_at" --seed 1 "${@:2}"
}
check kernel-peer-rules kernel_peer 1800 --tries 3 --patience 60 --rules "$(peer_wire | paste -sd,)"
check kernel-peer-other-rules kernel_peer 1800 --tries 1 --patience 60 --rules "$(peer_kept | paste -sd,)"

# One rule after the other, each with its packets.
kernel_peer_divergence() {
  agent_up && capture_begin || return 1
  kernel_peer 300 --tries 1 --patience 5 --divergences "$peer_divergences" --rules "$simple,$1"
  local code=$?
  capture_end
  return $code
}
for rule in $(peer_diverging | grep -E "$on_the_wire"); do
  check "kernel-peer-$rule" kernel_peer_divergence "$rule"
done
# Those that only a program sees. What must not wait for long, as it waits in vain.
check kernel-peer-divergences kernel_peer 600 --tries 3 --patience 3 --divergences "$peer_divergences" \
  --rules "$simple,$(peer_diverging | grep -vE "$on_the_wire" | paste -sd,)"

# The other way round: the kernel's side asks, and an agent here carries out what is asked of the software device. Of each kind of
# message, as the kit takes its time in the guest.
sim_agent_at=$HOST:7001
commanded_by_kernel() {
  native_up || return 1
  verbena 2600 conformance --patience 60 --listen "$sim_agent_at" >"$OUT/sim-agent.log" 2>&1 &
  local agent=$! code
  for _ in $(seq 1200); do
    ! grep -q waits "$OUT/sim-agent.log" || break
    sleep 0.1
  done
  kit 2400 --repeats $repeats --peer "$sim_agent_at" "$@"
  code=$?
  # Its address is needed by the next one.
  # shellcheck disable=SC2046
  kill $(our_pids)
  wait $agent
  return $code
}
check kernel-peer-commands commanded_by_kernel --tries 1 --patience 60 \
  --rules "$(peer_kept | grep -E '^(ATOMIC|CM|MTU|PLACE|UC|UD)-' | paste -sd,)"
