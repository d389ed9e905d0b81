# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: connections that are refused, and ends that are not the usual one.

# Nobody listens: REJ with reason 8, on either side.
cm_refused_by_kernel() {
  verbena 60 rping -c -a "$GUEST" -p 9999 -C 1 --wait 50 >"$CASE.ours" 2>&1
  local code=$?
  cat "$CASE.ours"
  [ $code = 1 ] && grep -q 'RDMA_CM_EVENT_REJECTED, error 8' "$CASE.ours"
}
cm_refused_by_us() {
  verbena 40 rping -s -a "$HOST" -p 9998 --wait 15 >"$CASE.ours" 2>&1 &
  local peer=$!
  cm_listening host || return 1
  guest 60 rping -c -a "$HOST" -p 9999 -C 1 >"$CASE.theirs" 2>&1
  local code=$?
  cat "$CASE.theirs"
  # Ours has waited in vain; the next test needs its address.
  wait $peer
  [ $code != 0 ] && grep -q 'RDMA_CM_EVENT_REJECTED, error 8' "$CASE.theirs"
}
check cm-refused-by-kernel cm_refused_by_kernel
check cm-refused-by-us cm_refused_by_us

# Process ids of this project in the guest's network.
our_pids() {
  local pid
  for pid in $(ip netns pids "$LAB_NETNS"); do
    [ "$(cat "/proc/$pid/comm" 2>/dev/null)" != java ] || echo "$pid"
  done
}

PCAP_HEADER=24

# Starts a connection with much to say. What the guest is at is told if that fails, and it is tried once more if the guest, whose turn
# it was to connect, has not sent a single packet: the kernel has done so for minutes after its path had been cut off.
cm_under_way() {
  local try
  for try in 1 2; do
    remark="try $try"
    capture_begin 20000 || return 1
    cm_start "$@" || return 1
    capture_reaches 200000 && return 0
    guest 60 bash -c 'tc qdisc show dev eth0; ip neigh; rdma resource show cm_id; dmesg | tail -n 5
      for pid in $(pgrep "$1"); do cat /proc/$pid/{wchan,stack}; done' - "$2"
    # shellcheck disable=SC2046
    kill -KILL $(our_pids)
    guest 60 pkill -KILL "$2"
    cm_finish
    capture_end
    [ "$1" = server ] && [ "$(stat -c %s "$CASE.pcap")" -le $PCAP_HEADER ] || return 1
  done
  return 1
}

# A connection with much to say is under way, and then: HOW is kill or tell (ours), kill-theirs, or cut (the path, and then theirs).
cm_ended() {
  local how=$1 from code
  shift
  cm_under_way "$@" || return 1
  from=$SECONDS
  case $how in
    # shellcheck disable=SC2046
    kill) kill -KILL $(our_pids) ;;
    # shellcheck disable=SC2046
    tell) kill -TERM $(our_pids) ;;
    kill-theirs) guest 60 pkill -KILL "$2" ;;
    cut) netem loss 100% && guest 60 pkill -KILL "$2" ;;
  esac
  code=$?
  cm_finish
  capture_end
  [ "$how" != cut ] || guest 60 tc qdisc del dev eth0 root || return 1
  echo "ended after $((SECONDS - from)) seconds"
  return $code
}

# How many requests of the kernel's were given up for want of an answer.
given_up() { guest 60 cat /sys/class/infiniband/rxe0/ports/1/hw_counters/retry_exceeded_err; }

# Ours is killed, without a word: the other end gives up after its retries. ucmatose does not look at the status of completions and
# ends as if all were well; the driver counts what it gave up.
cm_killed() {
  local before
  before=$(given_up) || return 1
  LIMIT=240 cm_ended kill "$@" || return 1
  echo "given up: $before, then $(given_up)"
  [ "$ours" = 137 ] && [ "$theirs" != 124 ] && [ "$(given_up)" -gt "$before" ]
}
check ucmatose-client-killed cm_killed client ucmatose "$HOST" "$GUEST" -c 4 -C 10000 -S 60000

# Ours is told to end: it says DREQ (attribute 0x15), and the other end sees a disconnect and ends.
cm_told() {
  cm_ended tell "$@" || return 1
  [ "$ours" = 143 ] && [ "$theirs" != 124 ] && grep -Eq 'DISCONNECT EVENT|disconnected' "$CASE.theirs" || return 1
  tshark -r "$CASE.pcap" -Y "ip.src == $HOST && infiniband.mad.attributeid == 0x15" 2>/dev/null | grep .
}

# Theirs is killed: the kernel disconnects in its place, which comes too early for ours unless it is the server of rping.
cm_theirs_killed() {
  cm_ended kill-theirs "$@" || return 1
  [ "$theirs" = 137 ] || return 1
  if [ "$1-$2-$ours" = server-rping-0 ]; then
    grep -q 'DISCONNECT EVENT' "$CASE.ours"
  else
    # The kernel takes the memory away first, and so a request may be refused, or get no answer, before the disconnect comes.
    [ "$ours" = 1 ] && grep -Eq 'has disconnected|cq completion failed status' "$CASE.ours"
  fi
}

# Nothing comes from the other end any more: ours ends by its retries, or by its patience if it is the other's turn.
cm_cut() {
  LIMIT=50 cm_ended cut "$@" || return 1
  [ "$theirs" = 137 ] && [ "$ours" = 1 ] &&
    grep -Eq 'RETRY_EXC_ERR|no event or completion arrived for [0-9]+ seconds' "$CASE.ours"
}

much() { case $1 in rping) echo "-S 4000" ;; ucmatose) echo "-c 4 -C 10000 -S 60000" ;; esac; }
for tool in rping ucmatose; do
  for end in client server; do
    # The kernel's ucmatose looks at no event before all messages have come, unless it is the server.
    # shellcheck disable=SC2046
    [ $end-$tool = server-ucmatose ] || check "$tool-$end-told" cm_told $end $tool "$HOST" "$GUEST" $(much $tool)
    # shellcheck disable=SC2046
    check "$tool-$end-peer-killed" cm_theirs_killed $end $tool "$HOST" "$GUEST" $(much $tool)
    # shellcheck disable=SC2046
    check "$tool-$end-peer-cut-off" cm_cut $end $tool "$HOST" "$GUEST" $(much $tool)
  done
done
