# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: ends that are not the usual one.

# The kernel's end is killed in the middle: ours ends with an error, soon.
killed_peer() {
  local we=$1 tool=$2 code
  port=$((port + 1))
  capture_begin 1000 || return 1
  if [ "$we" = client ]; then
    guest 60 "ibv_${tool}_pingpong" -d rxe0 -g 1 -p $port -n 1000000 >"$CASE.theirs" 2>&1 &
    listening guest $port
    verbena 60 "$tool-pingpong" -p $port -n 1000000 --wait 10 "$GUEST" >"$CASE.ours" 2>&1 &
  else
    verbena 60 "$tool-pingpong" -p $port -n 1000000 --wait 10 --local "$HOST" >"$CASE.ours" 2>&1 &
    listening host $port
    guest 60 "ibv_${tool}_pingpong" -d rxe0 -g 1 -p $port -n 1000000 "$HOST" >"$CASE.theirs" 2>&1 &
  fi
  # In the middle: both ends have sent.
  capture_reaches 100000
  guest 30 pkill -KILL pingpong || return 1
  local from=$SECONDS
  wait $(jobs -p | grep -vx "$capture_pid")
  capture_end
  cat "$CASE.ours"
  echo "ended after $((SECONDS - from)) seconds"
  # Which of the two it is depends on whose turn it was.
  grep -Eq 'Failed status .* \(12\) for wr_id 2|neither a message nor an acknowledgement arrived for 10 seconds' "$CASE.ours" &&
    [ $((SECONDS - from)) -le 25 ]
}

for tool in rc uc; do
  for end in client server; do
    check "$tool-$end-peer-killed" killed_peer $end $tool
  done
done

nobody_listens() {
  verbena 60 rc-pingpong -p 1 "$GUEST"
  [ $? = 1 ]
}
check rc-client-nobody-listens nobody_listens
