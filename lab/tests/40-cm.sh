# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: the tools of librdmacm over rdma_cm, the kernel's original at one end and ours at the other.

cm_port=20000

# Waits until somebody listens; on this side it is the device that has to be there.
cm_listening() {
  local wait="for i in \$(seq 1000); do rdma resource show cm_id | grep -q ':${2:-} ' && exit 0; sleep 0.3; done; exit 1"
  case $1 in
    guest) guest 300 bash -c "$wait" ;;
    native) "$LAB/lab" exec j -t 300 -c "$wait" ;;
    host) host 60 bash -c "for i in \$(seq 600); do ss -Hlun 'sport = :4791' | grep -q . && exit 0; sleep 0.1; done; exit 1" ;;
  esac
}

# A command of the guest that connects. Our device is there before anybody listens, and so a refusal may come too early.
cm_connecting='for i in $(seq 100); do
  "$@" >/tmp/connecting 2>&1; code=$?
  [ $code != 0 ] && grep -Eq "EVENT_REJECTED|Connection refused" /tmp/connecting || break
  sleep 0.1
done
cat /tmp/connecting; exit $code'

# cm_start WE TOOL HOST GUEST ARGS...: starts both ends of a tool, one of which is ours: WE is client or server. HOST and GUEST are
# addresses, $FAULTS are further arguments of ours.
cm_start() {
  local we=$1 tool=$2 host=$3 guest=$4 limit=${LIMIT:-120} server client
  shift 4
  cm_port=$((cm_port + 1))
  case $tool in
    rping) server="rping -s -a" client="rping -c -a" ;;
    ucmatose) server="ucmatose -b" client="ucmatose -s" ;;
    rdma) server="rdma_server -s" client="rdma_client -s" ;;
  esac
  # shellcheck disable=SC2086
  if [ "$we" = client ]; then
    guest "$limit" $server "$guest" -p $cm_port "$@" >"$CASE.theirs" 2>&1 &
    theirs_job=$!
    cm_listening guest $cm_port || return 1
    verbena "$limit" ${client/_/-} "$guest" -p $cm_port --wait $((limit - 20)) ${FAULTS:-} "$@" >"$CASE.ours" 2>&1 &
    ours_job=$!
  else
    verbena "$limit" ${server/_/-} "$host" -p $cm_port --wait $((limit - 20)) ${FAULTS:-} "$@" >"$CASE.ours" 2>&1 &
    ours_job=$!
    cm_listening host || return 1
    guest "$limit" bash -c "$cm_connecting" - $client "$host" -p $cm_port "$@" >"$CASE.theirs" 2>&1 &
    theirs_job=$!
  fi
}

# Waits for both ends; their exit codes are then in $ours and $theirs.
cm_finish() {
  wait "$ours_job"
  ours=$?
  wait "$theirs_job"
  theirs=$?
  echo "ours ended with $ours:"
  cat "$CASE.ours"
  echo "theirs ended with $theirs:"
  cat "$CASE.theirs"
}

# The original rping closes its event channel while a thread of its own may be about to wait at it, and that thread then ends the
# process with -1, when all is done and its end has disconnected.
rping_late='rdma_get_cm_event: Bad file descriptor'
theirs_well() {  # theirs_well TOOL
  [ "$theirs" = 0 ] || { [ "$1-$theirs" = rping-255 ] && [ "$(tail -n 1 "$CASE.theirs")" = "$rping_late" ]; }
}

# Both ends of a tool come to a good end.
cm_pair() {
  capture_begin || return 1
  cm_start "$@" || return 1
  cm_finish
  capture_end
  [ "$ours" = 0 ] && theirs_well "$2" || return 1
  case $2 in
    rping) ! grep -qi mismatch "$CASE.ours" "$CASE.theirs" ;;
    ucmatose) grep -q 'data transfers complete' "$CASE.ours" && grep -q 'data transfers complete' "$CASE.theirs" ;;
    rdma) grep -q 'end 0' "$CASE.ours" && grep -q 'end 0' "$CASE.theirs" ;;
  esac
}

# What was said twice over reliable connections, and what was refused: requests and READ responses (opcodes 0 to 16) of which one of
# the same kind with the same PSN came before, and acknowledgements that are a NAK or RNR NAK.
repetitions() {
  tshark -r "$CASE.pcap" --disable-protocol rpcordma --disable-protocol lnet -T fields -E separator=, -e ip.src -e ipv6.src \
    -e infiniband.bth.destqp -e infiniband.bth.opcode -e infiniband.bth.psn -e infiniband.aeth.syndrome 2>/dev/null |
    awk -F , '$4 <= 16 { key = $1 $2 "," $3 "," ($4 >= 13) "," $5; if (seen[key]++) print "again: " $0 }
      $4 == 17 && $6 >= 32 { print "refused: " $0 }'
}

# On a clean path nothing is said twice. A machine that has stood still for longer than the timeout of half a second does not show
# that, and so it is tried again; an engine that repeats what need not be repeated does so each time.
cm_clean() {
  local try
  for try in 1 2 3; do
    remark="try $try"
    cm_pair "$@" || return 1
    repetitions >"$CASE.again"
    [ -s "$CASE.again" ] || return 0
    head "$CASE.again"
  done
  return 1
}

for end in client server; do
  check "rping-$end-c1000" cm_clean $end rping "$HOST" "$GUEST" -C 1000 -V
  check "rping-$end-8-packets" cm_clean $end rping "$HOST" "$GUEST" -S 32768 -C 50 -V
  check "rping-$end-s65535" cm_pair $end rping "$HOST" "$GUEST" -S 65535 -C 100 -V
  check "rping-$end-ipv6" cm_clean $end rping "$HOST6" "$GUEST6" -C 20 -V
  check "ucmatose-$end-16" cm_clean $end ucmatose "$HOST" "$GUEST" -c 16 -C 10 -S 1000
  check "ucmatose-$end-8-packets" cm_clean $end ucmatose "$HOST" "$GUEST" -c 2 -C 10 -S 32768
  check "rdma-$end" cm_clean $end rdma "$HOST" "$GUEST"
done

# The kernel's end was killed at its time limit while it asked again and again for one acknowledgement, as the last packets show, and
# ours had come to a good end long before.
left_alone() {
  [ "$ours" = 0 ] && [ "$theirs" = 124 ] || return 1
  ! grep -qi mismatch "$CASE.ours" "$CASE.theirs" || return 1
  tshark -r "$CASE.pcap" --disable-protocol rpcordma -T fields -e ip.src -e infiniband.bth.opcode -e infiniband.bth.psn 2>/dev/null |
    tail -n 10 | awk -v guest="$GUEST" '$1 != guest { heard = 1 } $2 <= 16 && asked[$3]++ > 4 { alone = 1 } END { exit heard || !alone }'
}

# A path that loses, doubles and reorders both ways. The kernel asks 16 times for a DREP that is lost when ours has left: 70 seconds.
# For an acknowledgement that is lost when ours has left it asks for ever, as Soft-RoCE takes the tools' retry count of 7, and no peer
# could help it; then it is tried again.
cm_badly() {
  local code try
  netem "$BAD_PATH" || return 1
  for try in 1 2 3; do
    remark="try $try" ours='' theirs=''
    LIMIT=200 FAULTS="--loss 3% --duplicate 3% --reorder 3%" cm_pair "$@"
    code=$?
    [ $code != 0 ] && left_alone || break
  done
  guest 30 tc qdisc del dev eth0 root && return $code
}

for end in client server; do
  check "rping-$end-bad-path" cm_badly $end rping "$HOST" "$GUEST" -S 16000 -C 25 -V
  check "ucmatose-$end-bad-path" cm_badly $end ucmatose "$HOST" "$GUEST" -c 4 -C 10 -S 10000
  check "rdma-$end-bad-path" cm_badly $end rdma "$HOST" "$GUEST"
done
