# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: tools of ours with sim at one end, on this side, and ibverbs at the other, on the kernel's device of the guest
# that has a JDK.

peer_port=21000

# peer_finish SERVER-JOB CLIENT-CODE: waits for the server; both ends must have ended well.
peer_finish() {
  local job=$1 client=$2 server
  wait "$job"
  server=$?
  echo "the server ended with $server:"
  cat "$CASE.server"
  echo "the client ended with $client:"
  cat "$CASE.client"
  [ $server = 0 ] && [ "$client" = 0 ]
}

peer_pingpong() {
  local we=$1 tool=$2 code
  local native_end=("$tool-pingpong" --provider ibverbs -d rxe0 -g 1 --wait 300)
  local sim_end=("$tool-pingpong" --ack-timeout 18 --wait 300)
  shift 2
  peer_port=$((peer_port + 1))
  native_up && capture_begin || return 1
  if [ "$we" = client ]; then
    native 400 "${native_end[@]}" --bind "$NATIVE" -p $peer_port "$@" >"$CASE.server" 2>&1 &
    local job=$!
    listening native $peer_port
    verbena 300 "${sim_end[@]}" -p $peer_port "$@" "$NATIVE" >"$CASE.client" 2>&1
  else
    verbena 400 "${sim_end[@]}" -p $peer_port --local "$HOST" "$@" >"$CASE.server" 2>&1 &
    local job=$!
    listening host $peer_port
    native 400 "${native_end[@]}" -p $peer_port "$@" "$HOST" >"$CASE.client" 2>&1
  fi
  peer_finish $job $?
  code=$?
  capture_end
  return $code
}

peer_rping() {
  local we=$1 code
  peer_port=$((peer_port + 1))
  native_up && capture_begin || return 1
  if [ "$we" = client ]; then
    native 400 rping --provider ibverbs -s -a "$NATIVE" -p $peer_port --wait 380 -S 5000 -C 20 -V >"$CASE.server" 2>&1 &
    local job=$!
    cm_listening native $peer_port
    verbena 300 rping -c -a "$NATIVE" -p $peer_port --wait 280 -S 5000 -C 20 -V >"$CASE.client" 2>&1
  else
    verbena 400 rping -s -a "$HOST" -p $peer_port --wait 380 -S 5000 -C 20 -V >"$CASE.server" 2>&1 &
    local job=$!
    cm_listening host
    "$LAB/lab" exec j -t 400 -- bash -c "$cm_connecting" - "${native_java[@]}" rping --provider ibverbs -c -a "$HOST" -p $peer_port \
      --wait 380 -S 5000 -C 20 -V >"$CASE.client" 2>&1
  fi
  peer_finish $job $?
  code=$?
  capture_end
  return $code
}

for tool in rc uc srq; do
  check "kernel-peer-$tool-pingpong" pingpong_of $tool peer_pingpong client $tool -n 40 -s 5000 -c
done
check kernel-peer-ud-pingpong pingpong_of ud peer_pingpong client ud -n 40 -s 2000 -c
for end in client server; do
  check "kernel-peer-rping-$end" peer_rping $end
done
