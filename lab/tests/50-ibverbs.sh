# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: the provider ibverbs on the kernel's device, in a guest of its own that has a JDK.

# The guest, the address of its device and the options of its machine. Tests of another driver (72-siw.sh) have others.
native_guest=j NATIVE=$LAB_PREFIX.3 native_machine=(--host 3 --mtu 4200)
declare -A native_there=()
native_up() {
  [ -z "${native_there[$native_guest]:-}" ] || return 0
  "$LAB/lab" up "$native_guest" --ro "$PROJECT" --net ns --mem 1536 "${native_machine[@]}" || return 1
  # The folder that the guest gets its orders from.
  (umask 077 && printf '%s\n' "$VERBENA_SECRET" >"$LAB_RUN/$native_guest/share/secret") || return 1
  native_there[$native_guest]=yes
}
# The emulated processor takes longer for AVX instructions than for those that replace them.
native_java=("$JAVA" -Xmx512m -XX:UseAVX=0 "${java_options[@]}" -jar "$PROJECT/cli/target/quick/verbena.jar")
# Both ends of a control connection between the guest and this machine hold this secret.
VERBENA_SECRET=$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')
export VERBENA_SECRET
native() {  # native SECONDS ARGS...: the project's command line in that guest
  local limit=$1
  shift
  native_up || return 1
  "$LAB/lab" exec "$native_guest" -t "$limit" -- sh -c 'export VERBENA_SECRET="$(cat /run/lab/secret)"; exec "$@"' - \
    "${native_java[@]}" "$@"
}

divergences=$LAB/tests/rxe.divergences
diverging() { grep -oE '^[A-Z]+-[0-9]+' "$divergences" | sort -u; }
racing="UD-04|SRQ-06"
kept() { grep -oE '^\*\*[A-Z]+-[0-9]+' "$PROJECT/docs/rules.md" | tr -d '*' | grep -vxE "$racing" | sort | comm -23 - <(diverging); }

# Both ends on one device. The chance is always the same, as what the kernel does with some values only would come as a surprise.
kit() { native "$1" conformance --provider ibverbs --device rxe0 --seed 1 "${@:2}"; }

check ibverbs-rules kit 1200 --tries 3 --patience 60 --rules "$(kept | paste -sd,)"
# Rules whose divergence is a wait in vain get 3 s. All others get the patience of the kept rules, as a slow machine would otherwise
# make them fail with another message. A run in which no rule is kept is no success; this one is kept by every device.
simple=OBJ-02
in_vain() { grep -E '\| (only|announcements) ' "$divergences" | grep -oE '^[A-Z]+-[0-9]+' | sort -u; }
diverge() { kit 600 --tries 3 --patience "$1" --divergences "$divergences" --rules "$simple,$2"; }
check ibverbs-divergences diverge 60 "$(diverging | comm -23 - <(in_vain) | paste -sd,)"
check ibverbs-divergences-in-vain diverge 3 "$(in_vain | paste -sd,)"

# The same without Java.
divergences_in_c() {
  if ! command -v gcc >/dev/null || [ ! -e /usr/include/infiniband/verbs.h ] || [ ! -e /usr/include/rdma/rdma_cma.h ]; then
    echo "no gcc, or no libibverbs-dev or librdmacm-dev"
    return "$SKIP"
  fi
  native_up || return 1
  # The folder that the guest gets its orders from.
  gcc -Wall -O1 -o "$LAB_RUN/j/share/rxe" "$LAB/tests/rxe.c" -libverbs || return 1
  gcc -Wall -O1 -o "$LAB_RUN/j/share/rxe_cm" "$LAB/tests/rxe_cm.c" -libverbs -lrdmacm || return 1
  "$LAB/lab" exec j -t 300 -- /run/lab/rxe rxe0 1 >"$CASE.seen" || return 1
  "$LAB/lab" exec j -t 300 -- /run/lab/rxe_cm "$NATIVE" >>"$CASE.seen" || return 1
  cat "$CASE.seen"
  # A model of everything is no single call, and a race may end in either way.
  diff <(grep -v '^#' "$CASE.seen" | cut -d' ' -f1 | grep -vxE "$racing" | sort) <(diverging | grep -v '^MODEL-')
}
check ibverbs-divergences-in-c divergences_in_c

# The process survives, whatever the order of the calls, and all is closed in the end.
check ibverbs-lifecycles native 600 lifecycles --provider ibverbs -d rxe0 --seconds 40 --threads 3

# Each step of the report is a JVM of its own, which takes long under emulation, so not all steps run. The folder is the one that the
# guest gets its orders from.
report() {
  native_up || return 1
  rm -f "$LAB_RUN/j/share/report.zip"
  native 900 hca-report -d rxe0 --quick --steps doctor,devices,devinfo,perftest-send-lat,perftest-atomic-bw,conformance \
    --divergences "$divergences" -o /run/lab/report.zip || return 1
  "$(dirname "$JAVA")/jar" -tf "$LAB_RUN/j/share/report.zip" | grep -x index.html
}
check ibverbs-hca-report report
