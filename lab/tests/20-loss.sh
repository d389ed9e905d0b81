# SPDX-License-Identifier: Apache-2.0
# Part of lab/verify: a bad path both ways: netem in the guest for what the kernel sends, our faults for what we send.

BAD_PATH="loss 3% duplicate 3% delay 2ms reorder 10%"
# shellcheck disable=SC2086
netem() { guest 30 tc qdisc replace dev eth0 root netem $*; }

# The end that finishes first may be gone before its last acknowledgement gets through, and then the other one cannot know that
# all is well. The original does not wait for that, and so such a run is repeated, eight times at most: one end has received and
# compared everything, and the only complaint of the other one is that no answer came (status 12, its patience, or its time limit,
# as the original asks for ever). In srq each of 16 queue pairs has such an acknowledgement.
unheard='Failed status .* \(12\) for wr_id|neither a message nor an acknowledgement arrived'
unheard() {
  # An end that is not there has said nothing, and whatever else an end complains of is a failure.
  [ -s "$CASE.ours" ] && [ -e "$CASE.theirs" ] || return 1
  ! grep -qiE 'invalid data|mismatch|exception' "$CASE.ours" "$CASE.theirs" || return 1
  if [ "$ours" = 0 ]; then
    [ "$theirs" = 124 ] || grep -Eq "$unheard" "$CASE.theirs"
  else
    [ "$theirs" = 0 ] && grep -Eq "$unheard" "$CASE.ours"
  fi
}
# Soft-RoCE's end stood still until its time limit, in rc: the capture has its acknowledgement of our last request, and ours of its last
# one, which nothing in its way can lose, and we have received as many messages as it sent. So it is its turn, and nothing is missing.
stood_still() {  # stood_still END TOOL ...
  local received
  [ "$2" = rc ] && [ "$theirs" = 124 ] && grep -q 'neither a message nor an acknowledgement arrived' "$CASE.ours" || return 1
  received=$(grep -oE 'received [0-9]+' "$CASE.ours" | head -n 1) || return 1
  tshark -r "$CASE.pcap" --disable-protocol rpcordma -T fields -e ip.src -e infiniband.bth.opcode -e infiniband.bth.psn \
    -e infiniband.aeth.syndrome 2>/dev/null |
    awk -v guest="$GUEST" -v received="${received#* }" '
      $2 <= 4 && !seen[$1, $3]++ { newest[$1 == guest] = $3; messages += $1 == guest && ($2 == 2 || $2 == 4) }
      $2 == 17 && $4 < 32 { acknowledged[$1 != guest] = $3 }
      END { exit !(newest[0] != "" && newest[0] == acknowledged[0] && newest[1] == acknowledged[1] && messages == received) }'
}
badly() {
  local try code=1
  netem "$BAD_PATH" || return 1
  for try in 1 2 3 4 5 6 7 8; do
    LIMIT=45 TIMEOUT=16 pingpong "$@"
    code=$?
    remark="try $try"
    [ $code -ne 0 ] || break
    if unheard; then
      echo "$remark: one end did not hear that the other was content"
    elif stood_still "$@"; then
      echo "$remark: the kernel's end had all packets and did not go on"
    else
      break
    fi
  done
  guest 30 tc qdisc del dev eth0 root || return 1
  return $code
}

for tool in rc srq; do
  for end in client server; do
    check "$tool-$end-bad-path" badly "$end" $tool "--loss 3% --duplicate 3% --reorder 3% $(ours_at $end "$GUEST" "$HOST")" \
      "-g 1" -n 50 -s 4096 -m 512 -c
  done
done
