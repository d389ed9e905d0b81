# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: a DaRPC program of disni's tests over the bridge. One end is the kernel's device in the guest that has a JDK, by
# the provider ibverbs; the other end is the software device over UDP.

disni_jars=$OUT/disni
disni_build() {
  [ ! -e "$disni_jars/built" ] || return 0
  mkdir -p "$disni_jars/classes"
  JAVA_HOME=$(dirname "$(dirname "$JAVA")") mvn -B -q -f "$PROJECT/pom.xml" -Dquick -pl disni,provider-ibverbs -am \
    -DincludeScope=test -DoutputDirectory="$disni_jars" package dependency:copy-dependencies &&
    cp "$PROJECT"/disni/target/quick/verbena-disni-*.jar "$disni_jars/bridge.jar" &&
    cp "$PROJECT"/provider-ibverbs/target/quick/verbena-provider-ibverbs-*.jar "$disni_jars/" &&
    "$(dirname "$JAVA")/javac" -nowarn -cp "$disni_jars/*" -d "$disni_jars/classes" \
      "$PROJECT"/disni/src/test/java/program/darpc/*.java &&
    touch "$disni_jars/built"
}

# The bridge comes first on the class path.
disni_java() { echo "$JAVA -Xmx512m -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED -Dverbena.disni.retryCount=7 -Dverbena.disni.rnrRetryCount=7 -cp $1/bridge.jar:$1/*:$1/classes"; }
on_card() { "$LAB/lab" exec j -t "$1" -- $(disni_java /run/lab/disni) -Dverbena.disni.provider=ibverbs "${@:2}"; }
in_software() { host "$1" $(disni_java "$disni_jars") -Dverbena.sim.udp="$HOST" "${@:2}"; }

# disni_calls SERVER CLIENT ADDRESS: the two ends, each on_card or in_software, and the address of the server.
disni_calls() {
  local server code
  native_up && disni_build || return 1
  rm -rf "$LAB_RUN/j/share/disni"
  cp -r "$disni_jars" "$LAB_RUN/j/share/disni" || return 1
  set -f # The class path has a star, which is Java's to read.
  "$1" 400 program.darpc.EchoServer "$3" false 0 1 >"$CASE.server" 2>&1 &
  server=$!
  until grep -qx listening "$CASE.server"; do
    kill -0 $server 2>/dev/null || { cat "$CASE.server"; set +f; return 1; }
    sleep 0.5
  done
  "$2" 300 program.darpc.EchoClient "$3" STREAM_TAKE 500 1 0
  code=$?
  # The program holds port 4791, and outlives the shell that started it.
  pkill -f "$disni_jars/.*EchoServer"
  "$LAB/lab" exec j -t 30 -- pkill -f EchoServer
  wait $server 2>/dev/null
  set +f
  return $code
}
check disni-server-on-card disni_calls on_card in_software "$NATIVE"
check disni-client-on-card disni_calls in_software on_card "$HOST"
