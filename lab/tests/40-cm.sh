# Part of lab/verify: rping and ucmatose over rdma_cm, the kernel's original at one end and ours at the other.

cm_port=20000

# Waits until somebody listens; on this side it is the device that has to be there.
cm_listening() {
  case $1 in
    guest) guest 60 bash -c "for i in \$(seq 300); do rdma resource show cm_id | grep -q ':$2 ' && exit 0; sleep 0.1; done; exit 1" ;;
    host) host 60 bash -c "for i in \$(seq 600); do ss -Hlun 'sport = :4791' | grep -q . && exit 0; sleep 0.1; done; exit 1" ;;
  esac
}

# cm_pair WE GUEST_SERVER GUEST_CLIENT OURS_SERVER OURS_CLIENT: command lines, of which two are used. Exit codes in $ours, $theirs.
cm_pair() {
  local we=$1 limit=${LIMIT:-120} peer
  if [ "$we" = client ]; then
    # shellcheck disable=SC2086
    guest "$limit" $2 >"$CASE.theirs" 2>&1 &
    peer=$!
    cm_listening guest $cm_port || return 1
    # shellcheck disable=SC2086
    verbena "${OURS_LIMIT:-$limit}" $5 >"$CASE.ours" 2>&1
    ours=$?
    wait $peer
    theirs=$?
  else
    # shellcheck disable=SC2086
    verbena "${OURS_LIMIT:-$limit}" $4 >"$CASE.ours" 2>&1 &
    peer=$!
    cm_listening host || return 1
    # shellcheck disable=SC2086
    guest "$limit" $3 >"$CASE.theirs" 2>&1
    theirs=$?
    wait $peer
    ours=$?
  fi
  echo "ours ($we) ended with $ours:"
  cat "$CASE.ours"
  echo "theirs ended with $theirs:"
  cat "$CASE.theirs"
}

kernel_rping() {
  local we=$1 host=$2 guest=$3
  shift 3
  cm_port=$((cm_port + 1))
  capture_begin || return 1
  cm_pair "$we" "rping -s -a $guest -p $cm_port $*" "rping -c -a $host -p $cm_port $*" \
    "rping -s -a $host -p $cm_port --wait 100 $*" "rping -c -a $guest -p $cm_port --wait 100 $*"
  capture_end
  [ "$ours" = 0 ] && [ "$theirs" = 0 ] && ! grep -qi mismatch "$CASE.ours" "$CASE.theirs"
}

kernel_ucmatose() {
  local we=$1
  shift
  cm_port=$((cm_port + 1))
  capture_begin || return 1
  cm_pair "$we" "ucmatose -b $GUEST -p $cm_port $*" "ucmatose -s $HOST -p $cm_port $*" \
    "ucmatose -b $HOST -p $cm_port --wait 100 $*" "ucmatose -s $GUEST -p $cm_port --wait 100 $*"
  capture_end
  [ "$ours" = 0 ] && [ "$theirs" = 0 ] && grep -q 'data transfers complete' "$CASE.ours"
}

for end in client server; do
  check "rping-$end-c1000" kernel_rping $end "$HOST" "$GUEST" -C 1000 -V
  check "rping-$end-s65535" kernel_rping $end "$HOST" "$GUEST" -S 65535 -C 100 -V
  check "rping-$end-ipv6" kernel_rping $end "$HOST6" "$GUEST6" -C 20 -V
  check "ucmatose-$end-16" kernel_ucmatose $end -c 16 -C 10 -S 1000
done

# Nobody listens: REJ with reason 8, on either side.
cm_refused_by_kernel() {
  verbena 60 rping -c -a "$GUEST" -p 9999 -C 1 --wait 50
  [ $? = 1 ]
}
cm_refused_by_us() {
  verbena 40 rping -s -a "$HOST" -p 9998 --wait 15 >"$CASE.ours" 2>&1 &
  local peer=$!
  cm_listening host || return 1
  guest 60 rping -c -a "$HOST" -p 9999 -C 1
  local code=$?
  # Ours has waited in vain; the next test needs its address.
  wait $peer
  [ $code != 0 ]
}
check cm-refused-by-kernel cm_refused_by_kernel
check cm-refused-by-us cm_refused_by_us

# Ours is told to end in the middle, and the kernel's end sees a disconnect.
cm_terminated() {
  cm_port=$((cm_port + 1))
  capture_begin || return 1
  OURS_LIMIT=15 cm_pair client "rping -s -a $GUEST -p $cm_port" "" "" "rping -c -a $GUEST -p $cm_port"
  capture_end
  [ "$ours" != 0 ] && [ "$theirs" = 0 ] && grep -q 'DISCONNECT EVENT' "$CASE.theirs"
}
check cm-terminated cm_terminated
