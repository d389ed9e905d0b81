# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: the LND's suite over the kernel's device, in the guest that has a JDK (native_up, 50-ibverbs.sh).

LND_NOT_RUN=66
lnd_suite() {
  local tests=$PROJECT/lnd/target/quick
  (cd "$PROJECT" && JAVA_HOME=$(dirname "$(dirname "$JAVA")") mvn -B -q -pl lnd -am -Dquick -Plab package) || return 1
  # Each node has an address of its own on the one device.
  native_up && "$LAB/lab" exec j -t 60 -- ip addr replace "$LAB_PREFIX.34/24" dev eth0 || return 1
  "$LAB/lab" exec j -t 900 -- "$JAVA" -Xmx768m -XX:UseAVX=0 -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED \
    -Dverbena.lnd.ground=ibverbs,"$NATIVE,$LAB_PREFIX.34" -cp "$tests/test-classes:$tests/classes:$tests/test-lib/*" \
    org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors --details=tree \
    -c dev.verbena.lnd.MeetingTest -c dev.verbena.lnd.TwoNodesTest -c dev.verbena.lnd.GapsTest \
    -m 'dev.verbena.lnd.StormTest#aStormEndsWhereverTheNodesAre(dev.verbena.lnd.TestEnvironment)' >"$CASE.tree" 2>&1
  local code=$?
  # The tests of ways of registering memory that the device lacks are not run: so many and no more.
  grep -qE "^\[ +$LND_NOT_RUN tests aborted +\]\$" "$CASE.tree" || { echo "not $LND_NOT_RUN tests were left out"; code=1; }
  grep -E '\[X\]|tests (successful|failed|aborted)|=>' "$CASE.tree"
  remark="$(sed -nE 's/^\[ +([0-9]+) tests (successful|failed|aborted) +\]$/\1 \2/p' "$CASE.tree" | paste -sd, | sed 's/aborted/not run/')"
  return $code
}
check lnd-suite lnd_suite
