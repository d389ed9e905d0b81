# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: the tools and the demo over the provider ibverbs, in the guest that has a JDK: both ends on the kernel's device,
# both ours or one of them the original.

# both_ends READY SERVER CLIENT: both in that guest.
both_ends() {
  native_up && "$LAB/lab" exec "$native_guest" -t 600 -- "$LAB/tests/two-ends" "$@"
}

# native_once TOOL SERVER CLIENT [OPTIONS [OPTIONS OF THEIRS]]: each of the two is ours or theirs. The messages are checked, byte by byte.
native_port=19000
native_once() {
  local tool=$1 ends=() end code
  native_port=$((native_port + 1))
  for end in "$2" "$3"; do
    case $end in
      ours) ends+=("${native_java[*]} $tool-pingpong --provider ibverbs -d rxe0 -g 1 -p $native_port --wait 200 -n 200 -s 2000 -c ${4:-}") ;;
      theirs) ends+=("timeout 300 ibv_${tool}_pingpong -d rxe0 -g 1 -p $native_port -n 200 -s 2000 -c ${4:-} ${5:-}") ;;
    esac
  done
  both_ends "ss -Hltn 'sport = :$native_port'" "${ends[0]}" "${ends[1]} 127.0.0.1" >"$CASE.said"
  code=$?
  cat "$CASE.said"
  [ $code = 0 ] && [ "$(grep -c ' iters in ' "$CASE.said")" = 2 ]
}

# pingpong_of TOOL FUNCTION...: a message of UC or UD that is lost is lost, and neither end goes on: then again, three times at most.
# Only a run in which an end of ours says that nothing came is repeated.
pingpong_of() {
  local try tries=1
  [ "$1" != uc ] && [ "$1" != ud ] || tries=3
  for ((try = 1; try <= tries; try++)); do
    # shellcheck disable=SC2034
    [ $try = 1 ] || remark="try $try"
    ! "${@:2}" || return 0
    ! grep -qis 'invalid data' "$CASE.said" "$CASE.client" "$CASE.server" || return 1
    grep -qs 'neither a message nor an acknowledgement arrived' "$CASE.said" "$CASE.client" "$CASE.server" || return 1
  done
  return 1
}

# native_rdma TOOL SERVER CLIENT: a tool of librdmacm, each end ours or theirs.
# With the original at one end again if that end did what $rping_late says, for it takes the other one with it.
native_rdma() {
  local try
  for try in 1 2 3; do
    # shellcheck disable=SC2034
    [ $try = 1 ] || remark="try $try"
    ! native_rdma_once "$@" || return 0
    [ "$2-$3" != ours-ours ] && grep -qx "$rping_late" "$CASE.said" && ! grep -qi mismatch "$CASE.said" || return 1
  done
  return 1
}
native_rdma_once() {
  local tool=$1 server client command ends=() end code
  native_port=$((native_port + 1))
  case $tool in
    rping) server="rping -s -a $NATIVE -S 5000 -C 100 -V" client="rping -c -a $NATIVE -S 5000 -C 100 -V" ;;
    ucmatose) server="ucmatose -b $NATIVE -c 4 -C 10 -S 1000" client="ucmatose -s $NATIVE -c 4 -C 10 -S 1000" ;;
    rdma) server="rdma_server -s $NATIVE" client="rdma_client -s $NATIVE" ;;
  esac
  command=$server
  for end in "$2" "$3"; do
    case $end in
      ours) ends+=("${native_java[*]} ${command/_/-} --provider ibverbs --wait 500 -p $native_port") ;;
      theirs) ends+=("$command -p $native_port") ;;
    esac
    command=$client
  done
  both_ends "rdma resource show cm_id | grep ':$native_port '" "${ends[@]}" >"$CASE.said"
  code=$?
  cat "$CASE.said"
  [ $code = 0 ] && ! grep -i mismatch "$CASE.said"
}

for tool in rc uc ud srq; do
  check "ibverbs-$tool-pingpong" pingpong_of $tool native_once $tool ours ours
done
check ibverbs-rc-pingpong-client pingpong_of rc native_once rc theirs ours
check ibverbs-uc-pingpong-server pingpong_of uc native_once uc ours theirs
check ibverbs-ud-pingpong-client pingpong_of ud native_once ud theirs ours
check ibverbs-srq-pingpong-server pingpong_of srq native_once srq ours theirs
check ibverbs-rping native_rdma rping ours ours
check ibverbs-rping-client native_rdma rping theirs ours
check ibverbs-rping-server native_rdma rping ours theirs

# A file between two LNet nodes, each at an address of its own, and back; the exit code says whether all its copies agree.
native_demo() {
  local other=${NATIVE}3
  native_up && "$LAB/lab" exec "$native_guest" -t 60 -- ip addr replace "$other/24" dev eth0 || return 1
  native 600 demo --provider ibverbs --addresses "$NATIVE,$other" --size 1M
}
check ibverbs-demo native_demo
