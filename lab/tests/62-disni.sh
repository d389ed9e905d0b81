# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: programs of disni's tests over the bridge, with DaRPC, with Crail, with raw verbs and with endpoint groups. One end
# is the kernel's device in the guest that has a JDK, by the provider ibverbs; the other end is the software device over UDP.

disni_jars=$OUT/disni
disni_build() {
  [ ! -e "$disni_jars/built" ] || return 0
  mkdir -p "$disni_jars/classes"
  JAVA_HOME=$(dirname "$(dirname "$JAVA")") mvn -B -q -f "$PROJECT/pom.xml" -Dquick -pl disni,provider-ibverbs -am \
    -DincludeScope=test -DoutputDirectory="$disni_jars" package dependency:copy-dependencies &&
    cp "$PROJECT"/disni/target/quick/verbena-disni-*.jar "$disni_jars/bridge.jar" &&
    cp "$PROJECT"/provider-ibverbs/target/quick/verbena-provider-ibverbs-*.jar "$disni_jars/" &&
    "$(dirname "$JAVA")/javac" -nowarn -cp "$disni_jars/*" -d "$disni_jars/classes" \
      "$PROJECT"/disni/src/test/java/program/{crail,darpc,verbs,endpoints}/*.java &&
    touch "$disni_jars/built"
}

# The bridge comes first on the class path. Crail's buffers use a class of the package sun.nio.ch.
disni_java() { echo "env CRAIL_HOME=$1/$2 $JAVA -Xmx512m -XX:UseAVX=0 -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED --add-exports=java.base/sun.nio.ch=ALL-UNNAMED -Dverbena.disni.retryCount=7 -Dverbena.disni.rnrRetryCount=7 -cp $1/bridge.jar:$1/*:$1/classes"; }
on_card() { "$LAB/lab" exec j -t "$1" -- $(disni_java /run/lab/disni card) -Dverbena.disni.provider=ibverbs "${@:2}"; }
in_software() { host "$1" $(disni_java "$disni_jars" software) -Dverbena.sim.udp="$HOST" "${@:2}"; }

# disni_run SERVER CLIENT ADDRESS "PROGRAM ARGUMENTS" "PROGRAM ARGUMENTS" [LINE]: the two ends, each on_card or in_software, the address
# of the server, the programs of the server and of the client, and the line that the server prints when it is ready.
disni_run() {
  local server code
  native_up && disni_build || return 1
  rm -rf "$LAB_RUN/j/share/disni"
  cp -r "$disni_jars" "$LAB_RUN/j/share/disni" || return 1
  set -f # The class path has a star, which is Java's to read.
  "$1" 400 $4 >"$CASE.server" 2>&1 &
  server=$!
  until grep -qx "${6:-listening}" "$CASE.server"; do
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
# The datanode listens on the address of an interface that has a broadcast address. A file of 24 buffers is written and read.
disni_crail() {
  local address=$3 end interface=eth0 files=/tmp/crail
  native_up && disni_build || return 1
  "$LAB/lab" exec j -t 30 -- ip addr change "$NATIVE/24" broadcast + dev eth0 || return 1
  host 30 ip addr change "$HOST/24" broadcast + dev br0 || return 1
  "$LAB/lab" exec j -t 30 -- mkdir -p $files/cache && mkdir -p "$disni_jars"/{card,software}/conf "$CASE.crail/cache" || return 1
  for end in card software; do
    [ $end = card ] || interface=br0 files=$CASE.crail
    cat >"$disni_jars/$end/conf/crail-site.conf" <<END || return 1
crail.blocksize 65536
crail.buffersize 65536
crail.regionsize 4194304
crail.cachelimit 4194304
crail.cachepath $files/cache
crail.rpctimeout 120000
crail.datatimeout 120000
crail.namenode.address crail://$address:9060
crail.namenode.rpctype org.apache.crail.namenode.rpc.darpc.DaRPCNameNode
crail.namenode.darpc.affinity 0
crail.storage.types org.apache.crail.storage.rdma.RdmaStorageTier
crail.storage.rdma.interface $interface
crail.storage.rdma.datapath $files/data
crail.storage.rdma.storagelimit 8388608
crail.storage.rdma.allocationsize 4194304
crail.storage.rdma.localmap false
crail.storage.rdma.type passive
END
  done
  disni_run "$1" "$2" "$address" program.crail.Servers program.crail.Client "has blocks"
}
for program in calls crail verbs endpoints; do
  check disni-$program-server-on-card disni_$program on_card in_software "$NATIVE"
  check disni-$program-client-on-card disni_$program in_software on_card "$HOST"
done
