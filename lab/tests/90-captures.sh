# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: what was on the wire in all the tests before, as Wireshark sees it. Two of its heuristics guess at payloads.

captures() {
  local files=("$OUT"/*.pcap) packets malformed
  [ -e "${files[0]}" ] || return 1
  mergecap -w "$OUT/all.pcapng" "${files[@]}" || return 1
  tshark -r "$OUT/all.pcapng" --disable-protocol rpcordma --disable-protocol lnet -T fields \
    -e infiniband.bth.opcode -e _ws.malformed -e ip.src -e ipv6.src -e frame.number 2>"$CASE.err" >"$CASE.fields"
  packets=$(wc -l <"$CASE.fields")
  malformed=$(awk -F '\t' '$1 == "" || $2 != ""' "$CASE.fields" | tee /dev/stderr | wc -l)
  rm -f "$OUT/all.pcapng"
  echo "${#files[@]} captures, $packets packets, $malformed malformed"
  [ "$packets" -gt 0 ] && [ "$malformed" -eq 0 ]
}
# This test runs even after the time of --within, because it checks the captures of all tests that ran.
WITHIN='' check captures-are-well-formed captures
[ ! -e "$OUT/captures-are-well-formed.log" ] || sed 's/^/     /' "$OUT/captures-are-well-formed.log" | tail -n 1
