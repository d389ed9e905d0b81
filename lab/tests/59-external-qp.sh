# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: queue pairs that are no part of their id, brought up with the attributes of rdma_init_qp_attr (ExternalQp.java),
# over UDP and over the provider ibverbs, against the kernel's rdma_cm and a program in C that has the id's own queue pair.

external_port=21000

# external_qp PROVIDER WE: WE is client or server.
external_qp() {
  local provider=$1 we=$2 ours theirs at jar=$PROJECT/cli/target/quick/verbena.jar wait
  if ! command -v gcc >/dev/null || [ ! -e /usr/include/infiniband/verbs.h ] || [ ! -e /usr/include/rdma/rdma_cma.h ]; then
    echo "no gcc, or no libibverbs-dev or librdmacm-dev"
    return "$SKIP"
  fi
  external_port=$((external_port + 1))
  native_up || return 1
  gcc -Wall -O1 -o "$LAB_RUN/k/share/external_qp" "$LAB/tests/external_qp.c" -libverbs -lrdmacm || return 1
  "${JAVA}c" -d "$LAB_RUN/j/share/external" -cp "$jar" "$LAB/tests/ExternalQp.java" || return 1
  local java=("${native_java[@]:0:${#native_java[@]}-2}" -cp)
  if [ "$provider" = sim ]; then
    at=$HOST
    ours() { host 300 "${java[@]}" "$jar:$LAB_RUN/j/share/external" ExternalQp "sim:$HOST" "$@"; }
  else
    at=$NATIVE
    ours() { "$LAB/lab" exec j -t 300 -- "${java[@]}" "$jar:/run/lab/external" ExternalQp ibverbs "$@"; }
  fi
  if [ "$we" = client ]; then
    guest 300 /run/lab/external_qp server "$GUEST" $external_port >"$CASE.theirs" 2>&1 &
    theirs=$!
    cm_listening guest $external_port || return 1
    ours client "$GUEST" $external_port >"$CASE.ours" 2>&1 &
    ours=$!
  else
    ours server "$at" $external_port >"$CASE.ours" 2>&1 &
    ours=$!
    for ((wait = 0; wait < 2400; wait++)); do
      ! grep -qs listening "$CASE.ours" && kill -0 $ours 2>/dev/null || break
      sleep 0.1
    done
    guest 300 /run/lab/external_qp client "$at" $external_port >"$CASE.theirs" 2>&1 &
    theirs=$!
  fi
  wait $ours
  echo "ours ended with $?:"
  cat "$CASE.ours"
  wait $theirs
  echo "theirs ended with $?:"
  cat "$CASE.theirs"
  grep -qx 'every byte is right' "$CASE.ours" && grep -qx 'every byte is right' "$CASE.theirs"
}

for provider in sim ibverbs; do
  for end in client server; do
    check "external-qp-$provider-$end" external_qp $provider $end
  done
done
