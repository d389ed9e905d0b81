# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: programs of disni's tests over the bridge, with DaRPC, with raw verbs and with endpoint groups. One end is the
# kernel's device in the guest that has a JDK, by the provider ibverbs; the other end is the software device over UDP.

disni_jars=$OUT/disni
disni_build() {
  [ ! -e "$disni_jars/built" ] || return 0
  mkdir -p "$disni_jars/classes"
  JAVA_HOME=$(dirname "$(dirname "$JAVA")") mvn -B -q -f "$PROJECT/pom.xml" -Dquick -pl disni,provider-ibverbs -am \
    -DincludeScope=test -DoutputDirectory="$disni_jars" package dependency:copy-dependencies &&
    cp "$PROJECT"/disni/target/quick/verbena-disni-*.jar "$disni_jars/bridge.jar" &&
    cp "$PROJECT"/provider-ibverbs/target/quick/verbena-provider-ibverbs-*.jar "$disni_jars/" &&
    "$(dirname "$JAVA")/javac" -nowarn -cp "$disni_jars/*" -d "$disni_jars/classes" \
      "$PROJECT"/disni/src/test/java/program/{darpc,verbs,endpoints}/*.java &&
    touch "$disni_jars/built"
}

# The bridge comes first on the class path.
disni_java() { echo "$JAVA -Xmx512m -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED -Dverbena.disni.retryCount=7 -Dverbena.disni.rnrRetryCount=7 -cp $1/bridge.jar:$1/*:$1/classes"; }
on_card() { "$LAB/lab" exec j -t "$1" -- $(disni_java /run/lab/disni) -Dverbena.disni.provider=ibverbs "${@:2}"; }
in_software() { host "$1" $(disni_java "$disni_jars") -Dverbena.sim.udp="$HOST" "${@:2}"; }

# disni_run SERVER CLIENT ADDRESS "PROGRAM ARGUMENTS" "PROGRAM ARGUMENTS": the two ends, each on_card or in_software, the address of the
# server, and the programs of the server and of the client.
disni_run() {
  local server code
  native_up && disni_build || return 1
  rm -rf "$LAB_RUN/j/share/disni"
  cp -r "$disni_jars" "$LAB_RUN/j/share/disni" || return 1
  set -f # The class path has a star, which is Java's to read.
  "$1" 400 $4 >"$CASE.server" 2>&1 &
  server=$!
  until grep -qx listening "$CASE.server"; do
    kill -0 $server 2>/dev/null || { cat "$CASE.server"; set +f; return 1; }
    sleep 0.5
  done
  "$2" 300 $5
  code=$?
  # The program holds port 4791, and outlives the shell that started it.
  pkill -f "$disni_jars/.*${4%% *}"
  "$LAB/lab" exec j -t 30 -- pkill -f "${4%% *}"
  wait $server 2>/dev/null
  set +f
  return $code
}
disni_calls() { disni_run "$@" "program.darpc.EchoServer $3 false 0 1" "program.darpc.EchoClient $3 STREAM_TAKE 500 1 0"; }
disni_verbs() { disni_run "$@" "program.verbs.Server $3 1919" "program.verbs.Client $3 1919 usual"; }
disni_endpoints() { disni_run "$@" "program.endpoints.Server $3 1919 active 1" "program.endpoints.Client $3 1919 passive"; }
for program in calls verbs endpoints; do
  check disni-$program-server-on-card disni_$program on_card in_software "$NATIVE"
  check disni-$program-client-on-card disni_$program in_software on_card "$HOST"
done
