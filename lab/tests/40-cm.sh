# Part of lab/verify: the tools of librdmacm over rdma_cm, the kernel's original at one end and ours at the other.

cm_port=20000

# Waits until somebody listens; on this side it is the device that has to be there.
cm_listening() {
  case $1 in
    guest) guest 60 bash -c "for i in \$(seq 300); do rdma resource show cm_id | grep -q ':$2 ' && exit 0; sleep 0.1; done; exit 1" ;;
    host) host 60 bash -c "for i in \$(seq 600); do ss -Hlun 'sport = :4791' | grep -q . && exit 0; sleep 0.1; done; exit 1" ;;
  esac
}

# cm_start WE TOOL HOST GUEST ARGS...: starts both ends of a tool, one of which is ours: WE is client or server. HOST and GUEST are
# addresses, $FAULTS are further arguments of ours.
cm_start() {
  local we=$1 tool=$2 host=$3 guest=$4 limit=${LIMIT:-120} server client
  shift 4
  cm_port=$((cm_port + 1))
  case $tool in
    rping) server="rping -s -a" client="rping -c -a" ;;
    ucmatose) server="ucmatose -b" client="ucmatose -s" ;;
  esac
  # shellcheck disable=SC2086
  if [ "$we" = client ]; then
    guest "$limit" $server "$guest" -p $cm_port "$@" >"$CASE.theirs" 2>&1 &
    theirs_job=$!
    cm_listening guest $cm_port || return 1
    verbena "$limit" $client "$guest" -p $cm_port --wait $((limit - 20)) ${FAULTS:-} "$@" >"$CASE.ours" 2>&1 &
    ours_job=$!
  else
    verbena "$limit" $server "$host" -p $cm_port --wait $((limit - 20)) ${FAULTS:-} "$@" >"$CASE.ours" 2>&1 &
    ours_job=$!
    cm_listening host || return 1
    guest "$limit" $client "$host" -p $cm_port "$@" >"$CASE.theirs" 2>&1 &
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

# Both ends of a tool come to a good end.
cm_pair() {
  capture_begin || return 1
  cm_start "$@" || return 1
  cm_finish
  capture_end
  [ "$ours" = 0 ] && [ "$theirs" = 0 ] || return 1
  case $2 in
    rping) ! grep -qi mismatch "$CASE.ours" "$CASE.theirs" ;;
    ucmatose) grep -q 'data transfers complete' "$CASE.ours" && grep -q 'data transfers complete' "$CASE.theirs" ;;
  esac
}

for end in client server; do
  check "rping-$end-c1000" cm_pair $end rping "$HOST" "$GUEST" -C 1000 -V
  check "rping-$end-s65535" cm_pair $end rping "$HOST" "$GUEST" -S 65535 -C 100 -V
  check "rping-$end-ipv6" cm_pair $end rping "$HOST6" "$GUEST6" -C 20 -V
  check "ucmatose-$end-16" cm_pair $end ucmatose "$HOST" "$GUEST" -c 16 -C 10 -S 1000
done

# A path that loses, doubles and reorders both ways. The kernel asks 16 times for a DREP that is lost when ours has left: 70 seconds.
cm_badly() {
  local code
  netem "$BAD_PATH" || return 1
  LIMIT=200 FAULTS="--loss 3% --duplicate 3% --reorder 3%" cm_pair "$@"
  code=$?
  guest 30 tc qdisc del dev eth0 root && return $code
}

for end in client server; do
  check "rping-$end-bad-path" cm_badly $end rping "$HOST" "$GUEST" -S 16000 -C 25 -V
  check "ucmatose-$end-bad-path" cm_badly $end ucmatose "$HOST" "$GUEST" -c 4 -C 10 -S 10000
done
