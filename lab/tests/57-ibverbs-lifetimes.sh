# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: what befalls devices and memory from outside, through the provider ibverbs (Lifetimes.java). That an arena under
# a region refuses to be closed, and that queue pairs can be closed with requests in flight, are rules: OBJ-02, OBJ-07, OBJ-08.

# Where the guest gets its orders from, the class is compiled to; there its path is another.
lifetimes_built() {
  native_up || return 1
  [ ! -e "$LAB_RUN/j/share/lifetimes" ] || return 0
  "${JAVA}c" -d "$LAB_RUN/j/share/lifetimes" -cp "$PROJECT/cli/target/quick/verbena.jar" "$LAB/tests/Lifetimes.java"
}
lifetimes_java="${native_java[*]:0:${#native_java[@]}-2} -cp $PROJECT/cli/target/quick/verbena.jar:/run/lab/lifetimes Lifetimes"

native_children() {
  lifetimes_built && "$LAB/lab" exec j -t 600 -c "exec $lifetimes_java rxe0 children"
}
check ibverbs-children native_children

# An ordinary user, as nothing limits root.
native_locked() {
  lifetimes_built || return 1
  "$LAB/lab" exec j -t 600 -c "ulimit -l 1024; exec setpriv --reuid 65534 --regid 65534 --clear-groups $lifetimes_java rxe0 locked" \
    >"$CASE.said"
  local code=$?
  cat "$CASE.said"
  [ $code = 0 ] && grep 'limit of locked memory' "$CASE.said"
}
check ibverbs-locked-memory native_locked

# A device of its own, as others are still needed. Taking it away waits until nobody has it open.
native_removed() {
  lifetimes_built || return 1
  "$LAB/lab" exec j -t 900 -c "
    ip link add going type dummy && ip addr add 192.0.2.1/24 dev going && ip link set going mtu 4200 up || exit 1
    rdma link add rxe9 type rxe netdev going || exit 1
    $lifetimes_java rxe9 removed >/tmp/removed 2>&1 &
    job=\$!
    until grep -q ready /tmp/removed; do kill -0 \$job || { cat /tmp/removed; exit 1; }; sleep 0.5; done
    timeout 300 rdma link delete rxe9; deleted=\$?
    wait \$job; ended=\$?
    cat /tmp/removed
    echo \"deleting ended with \$deleted, Java with \$ended\"
    ip link del going
    [ \$deleted = 0 ] && [ \$ended = 0 ] && grep -q closed /tmp/removed && ! rdma link | grep rxe9"
}
check ibverbs-removed-device native_removed
