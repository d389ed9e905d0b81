# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: memory of the program's own (a mapped file, direct buffers, a shared arena, one segment in two domains) under the
# provider ibverbs, with every opcode that takes memory: the program examples/memory/Buffers.java.

native_memory() {
  native_up || return 1
  "${JAVA}c" -d "$LAB_RUN/j/share/memory" -cp "$PROJECT/cli/target/quick/verbena.jar" "$PROJECT/examples/memory/Buffers.java" ||
    return 1
  "$LAB/lab" exec j -t 600 -c "exec ${native_java[*]:0:${#native_java[@]}-2} -cp $PROJECT/cli/target/quick/verbena.jar:/run/lab/memory \
    Buffers ibverbs rxe0 rxe0" >"$CASE.said"
  local code=$?
  cat "$CASE.said"
  [ $code = 0 ] && [ "$(grep -c ' operations$' "$CASE.said")" = 4 ]
}
check ibverbs-memory native_memory
