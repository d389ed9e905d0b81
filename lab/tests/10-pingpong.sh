# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: the four pingpongs, the kernel's original at one end and ours at the other.

port=18515

# One try: pingpong_once WE TOOL OURS THEIRS ARGS...  where WE is server or client; OURS and THEIRS are arguments of one end only, the
# last one of OURS being the server's host if we are the client. Leaves the exit codes in $ours and $theirs.
pingpong_once() {
  # Soft-RoCE retries for ever, but we do not: 1 second, as a guest whose host is busy may take that.
  local we=$1 tool=$2 mine=$3 their=$4 limit=${LIMIT:-60} timeout=${TIMEOUT:-18}
  shift 4
  port=$((port + 1))
  # shellcheck disable=SC2086
  if [ "$we" = client ]; then
    guest "$limit" "ibv_${tool}_pingpong" -d rxe0 -p $port $their "$@" >"$CASE.theirs" 2>&1 &
    local peer=$!
    listening guest $port
    verbena "$limit" "$tool-pingpong" -p $port --wait 30 --ack-timeout $timeout "$@" $mine >"$CASE.ours" 2>&1
    ours=$?
    # The original does not notice that its peer is gone.
    [ $ours = 0 ] || guest 30 pkill -KILL pingpong
    wait $peer
    theirs=$?
  else
    verbena "$limit" "$tool-pingpong" -p $port --wait 30 --ack-timeout $timeout "$@" $mine >"$CASE.ours" 2>&1 &
    local peer=$!
    listening host $port
    guest "$limit" "ibv_${tool}_pingpong" -d rxe0 -p $port $their "$@" "$HOST" >"$CASE.theirs" 2>&1
    theirs=$?
    wait $peer
    ours=$?
  fi
  echo "ours ($we) ended with $ours:"
  cat "$CASE.ours"
  echo "theirs ended with $theirs:"
  cat "$CASE.theirs"
}

# The same with a capture and all that has to be so.
pingpong() {
  capture_begin || return 1
  pingpong_once "$@"
  capture_end
  [ "$ours" = 0 ] && [ "$theirs" = 0 ] || return 1
  # Both count their messages, neither finds wrong data, and there was something to see.
  grep -q ' iters in ' "$CASE.ours" && grep -q ' iters in ' "$CASE.theirs" || return 1
  ! grep -i 'invalid data' "$CASE.ours" "$CASE.theirs" || return 1
  [ "$(tcpdump -r "$CASE.pcap" 2>/dev/null | wc -l)" -ge 20 ]
}

ours_at() { if [ "$1" = client ]; then echo "$2"; else echo "--local $3"; fi; }

sizes=(1 64 1024 1025 4096 65536)
mtus=(256 512 1024 2048 4096)
tools=(rc uc srq)
modes=("" -e)
ends=(client server)

connected() {  # tool, size, mtu, mode, end
  local n=40 pairs=
  [ "$2" -le 4096 ] || n=10
  [ "$1" != srq ] || pairs="-q 4"
  # shellcheck disable=SC2086
  check "$1-$5-s$2-m$3${4:+-events}" pingpong "$5" "$1" "$(ours_at "$5" "$GUEST" "$HOST")" "-g 1" -n $n -s "$2" -m "$3" -c \
    $pairs $4
}

for i in 0 1 2 3 4 5; do
  for j in 0 1 2 3 4; do
    if [ -n "$FULL" ]; then
      for tool in "${tools[@]}"; do
        for mode in "${modes[@]}"; do
          for end in "${ends[@]}"; do connected "$tool" "${sizes[i]}" "${mtus[j]}" "$mode" "$end"; done
        done
      done
    else
      # Every two values of any two of the five parameters meet in one of these 30.
      connected "${tools[(i + j) % 3]}" "${sizes[i]}" "${mtus[j]}" "${modes[(i / 3 + j) % 2]}" "${ends[(i + j / 2) % 2]}"
    fi
  done
done

i=0
for size in 1 64 1024 2048 4096; do
  for end in "${ends[@]}"; do
    for mode in "${modes[@]}"; do
      i=$((i + 1))
      [ -n "$FULL" ] || [ $((i % 4)) -eq 1 ] || [ $((i % 4)) -eq 0 ] || continue
      check "ud-$end-s$size${mode:+-events}" pingpong "$end" ud "$(ours_at "$end" "$GUEST" "$HOST")" "-g 1" -n 40 -s $size -c $mode
    done
  done
done

# The originals exchange addresses over IPv4, where our server must listen; the packets are those of IPv6.
for tool in rc ud; do
  check "$tool-client-ipv6" pingpong client $tool "--local $HOST6 $GUEST" "-g 2" -n 40 -s 1025 -c
  check "$tool-server-ipv6" pingpong server $tool "--local $HOST6 --bind $HOST" "-g 2" -n 40 -s 1025 -c
done
