# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: nodes of LNet that stay, and those that use them: all on the kernel's device, each at an address of its own, and
# one of the two on the software device here.

LNET_OTHER=$LAB_PREFIX.34

# The address of the guest's second node, whichever test runs first.
lnet_address() {
  [ -z "${lnet_addressed:-}" ] || return 0
  "$LAB/lab" exec j -t 60 -- ip addr replace "$LNET_OTHER/24" dev eth0 && lnet_addressed=yes
}

# lnet_up guest|host: a node that stays, at $NATIVE or $HOST; what it says goes to $OUT/lnet-WHERE.log. Nothing if it is there.
lnet_up() {
  local said=$OUT/lnet-$1.log
  [ ! -e "$said" ] || return 0
  native_up && lnet_address || return 1
  if [ "$1" = guest ]; then
    native 1800 lnet up --provider ibverbs --nid "$NATIVE@o2ib" --for 1700 >"$said" 2>&1 &
  else
    verbena 1800 lnet up --local "$HOST" --nid "$HOST@o2ib" --for 1700 --monitor "$OUT/lnet.socket" >"$said" 2>&1 &
  fi
  for _ in $(seq 3000); do
    ! grep -q 'inspect this node' "$said" || return 0
    sleep 0.1
  done
  cat "$said"
  return 1
}

# lnet_killed guest|host: ends that node at once. In the guest others stay.
lnet_killed() {
  if [ "$1" = guest ]; then
    "$LAB/lab" exec j -t 60 -- pkill -KILL -f "lnet up --provider ibverbs --nid $NATIVE@"
  else
    # shellcheck disable=SC2046
    kill -KILL $(our_pids)
  fi
  mv "$OUT/lnet-$1.log" "$OUT/lnet-$1.before.log"
}

# lnet_from guest|host SECONDS COMMAND...: a node for as long as that takes, which is $LNET_OTHER or $HOST.
lnet_from() {
  local where=$1 limit=$2
  shift 2
  case $where in
    guest) native "$limit" lnet "$@" --provider ibverbs --nid "$LNET_OTHER@o2ib" ;;
    host) verbena "$limit" lnet "$@" --local "$HOST" --nid "$HOST@o2ib" ;;
  esac
}

lnet_ping() {  # FROM TO NID
  lnet_up "$2" && lnet_from "$1" 300 ping "$3@o2ib" --count 3 --wait 100 >"$CASE.said" || return 1
  cat "$CASE.said"
  [ "$(grep -c '^answered in ' "$CASE.said")" = 3 ] && grep -qx "12345-$3@o2ib" "$CASE.said"
}

# A file that ends in the middle of a page, there and back. The folder of the guest's orders has it under another path there.
lnet_file() {  # FROM TO NID
  local folder=$LAB_RUN/j/share
  lnet_up "$2" || return 1
  [ -e "$folder/sent" ] || head -c 1500001 /dev/urandom >"$folder/sent" || return 1
  rm -f "$folder/back"
  case $1 in
    host)
      lnet_from host 300 put "$3@o2ib" "$folder/sent" --name "from-$1" || return 1
      lnet_from host 300 get "$3@o2ib" "$folder/back" --name "from-$1" || return 1
      ;;
    guest)
      lnet_from guest 300 put "$3@o2ib" /run/lab/sent --name "from-$1" || return 1
      lnet_from guest 300 get "$3@o2ib" /tmp/back --name "from-$1" || return 1
      "$LAB/lab" exec j -t 60 -- cp /tmp/back /run/lab/back || return 1
      ;;
  esac
  cmp "$folder/sent" "$folder/back" && sha256sum "$folder/sent" "$folder/back"
}

lnet_selftest() {  # FROM TO NID TESTS...
  local from=$1 test
  lnet_up "$2" || return 1
  for test in "${@:4}"; do
    lnet_from "$from" 300 selftest "$3@o2ib" --test "$test" --check full --loop 3 --concurrency 4 --force >"$CASE.said" || return 1
    cat "$CASE.said"
    # shellcheck disable=SC2034
    remark="${remark:+$remark, }$test $(sed -n 's/^MiB\/s *//p' "$CASE.said") MiB/s"
    grep -Eq '^requests that went well +12$' "$CASE.said" && grep -Eq '^errors there +0$' "$CASE.said" || return 1
  done
}

check lnet-ibverbs-ping lnet_ping guest guest "$NATIVE"
check lnet-ibverbs-file lnet_file guest guest "$NATIVE"
check lnet-ibverbs-selftest lnet_selftest guest guest "$NATIVE" write
check lnet-sim-to-ibverbs-ping lnet_ping host guest "$NATIVE"
check lnet-sim-to-ibverbs-file lnet_file host guest "$NATIVE"
check lnet-sim-to-ibverbs-selftest lnet_selftest host guest "$NATIVE" write read

# lnet_restarted FROM TO NID: who asks stays; the other is killed, and another one comes in its place.
lnet_restarted() {
  local said=$CASE.said asks code
  answers() {  # a line of those that came LINE or later
    for _ in $(seq 3000); do
      ! tail -n "+$2" "$said" | grep -q "$1" || return 0
      sleep 0.1
    done
    return 1
  }
  lnet_up "$2" || return 1
  lnet_from "$1" 900 ping "$3@o2ib" --count 100000 --interval 1 --wait 5 --go-on >"$said" 2>&1 &
  asks=$!
  answers '^answered in' 1 && lnet_killed "$2" && answers '^failed to ping' 1 && lnet_up "$2" \
    && answers '^answered in' "$(($(grep -n '^failed to ping' "$said" | tail -1 | cut -d: -f1) + 1))"
  code=$?
  if [ "$1" = guest ]; then
    "$LAB/lab" exec j -t 60 -- pkill -KILL -f 'lnet ping'
  else
    # shellcheck disable=SC2046
    kill -KILL $(our_pids)
  fi
  wait $asks
  # The kernel says of some failures what it is, and each only once here.
  sort "$said" | sed 's/in [0-9.]* us//' | uniq -c
  return $code
}
check lnet-ibverbs-killed-and-started lnet_restarted host guest "$NATIVE"
# Its address is needed on this side.
[ ! -e "$OUT/lnet-guest.log" ] || lnet_killed guest

check lnet-ibverbs-to-sim-ping lnet_ping guest host "$HOST"
check lnet-ibverbs-to-sim-file lnet_file guest host "$HOST"
check lnet-ibverbs-to-sim-selftest lnet_selftest guest host "$HOST" read
check lnet-sim-killed-and-started lnet_restarted guest host "$HOST"

# A node whose process is stopped, on a device that goes on: the kernel acknowledges packets for it. Its peer must report that it hangs.
lnet_hangs() {
  local job code=1 why="the selftest wrote nothing" tries
  lnet_up host || return 1
  lnet_from guest 900 selftest "$HOST@o2ib" --test write --time 800 --concurrency 32 --force >"$CASE.said" 2>&1 &
  job=$!
  for _ in $(seq 100); do
    ! verbena 60 lnet stats --monitor "$OUT/lnet.socket" | grep -Eq '^selftest_get_bytes +[1-9]' || { why= && break; }
    kill -0 $job || { why="the selftest ended before it wrote" && break; }
  done
  # The process may be stopped while no message waits for it, or only for what its device still does; then it is stopped once more.
  [ -n "$why" ] || for tries in $(seq 40); do
    "$LAB/lab" exec j -t 60 -- pkill -STOP -f 'lnet selftest' || { why="no selftest to stop in try $tries" && break; }
    if verbena 60 lnet show credits --monitor "$OUT/lnet.socket" >"$CASE.held" && grep ' waits .* for ANSWER' "$CASE.held"; then
      why="in try $tries messages waited, and the host reported nothing"
      for _ in $(seq 150); do
        ! grep -E "^$LNET_OTHER@o2ib hangs, holding [0-8] of 8 credits: " "$OUT/lnet-host.log" || { code=0 && break 2; }
        sleep 0.1
      done
    else
      why="in try $tries no message waited"
    fi
    "$LAB/lab" exec j -t 60 -- pkill -CONT -f 'lnet selftest'
  done
  "$LAB/lab" exec j -t 60 -- pkill -KILL -f 'lnet selftest'
  wait $job
  tail -n 40 "$OUT/lnet-host.log" "$CASE.said"
  [ ! -e "$CASE.held" ] || tail -n 20 "$CASE.held"
  echo "$why"
  return $code
}
check lnet-hanging-node-is-told-of lnet_hangs
