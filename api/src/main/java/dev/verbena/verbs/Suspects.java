// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.List;

/** The table of the usual causes of each completion status, for {@link WorkCompletionStatus#suspects()}. */
final class Suspects {
    private static final Suspect NO_SUCH_DEVICE =
            new Suspect("reliable datagrams, which no device has", "look whether the status was decoded rightly");
    private static final Suspect SHARP_RIGHTS = new Suspect(
            "a right is missing on the region, the window, or the queue pair", "compare the access flags of all three");

    private Suspects() {}

    static List<Suspect> of(WorkCompletionStatus status) {
        return switch (status) {
            case SUCCESS -> List.of();
            case LOC_LEN_ERR ->
                List.of(
                        new Suspect("the peer sent more than the posted receive holds", "post longer receives"),
                        new Suspect("a UD receive lacks the 40 bytes for the routing header", "add 40 bytes"),
                        new Suspect("a UD message is longer than one path MTU", "send less, or use a connection"),
                        new Suspect("path MTUs differ, so that a READ answer has another size", "make them equal"));
            case LOC_QP_OP_ERR ->
                List.of(
                        new Suspect("READ or atomic with max_rd_atomic 0", "set it when going to RTS"),
                        new Suspect("an opcode that the queue pair's type does not have", "look at QpType"),
                        new Suspect("a refused local invalidate or fast registration", "look at the key's state"),
                        new Suspect(
                                "Soft-RoCE: a receive that is too short or has a bad key",
                                "look at the receive that failed"));
            case LOC_PROT_ERR ->
                List.of(
                        new Suspect("an entry reaches beyond its region", "check offset and length"),
                        new Suspect("the region is closed, or of another protection domain", "keep it open until then"),
                        new Suspect("no LOCAL_WRITE for a receive, a READ or an atomic", "register with LOCAL_WRITE"));
            case WR_FLUSH_ERR ->
                List.of(
                        new Suspect(
                                "an earlier request of this queue pair failed",
                                "look for the first completion with another status: rootCause()"),
                        new Suspect("a disconnect, or the program went to ERR", "this is the expected end then"),
                        new Suspect("a request was posted to a queue pair in ERR", "look at its state first"),
                        new Suspect("a completion queue was overrun", "look for the event CQ_ERR"));
            case MW_BIND_ERR ->
                List.of(
                        new Suspect("the region lacks MW_BIND", "register with MW_BIND"),
                        new Suspect("the window would grant more than the region", "ask for less, or register more"),
                        new Suspect("range or domain do not fit", "bind within the region, in its domain"));
            case BAD_RESP_ERR ->
                List.of(
                        new Suspect("packets of an earlier connection with the same numbers", "use random first PSNs"),
                        new Suspect("path MTUs differ", "make them equal"),
                        new Suspect("the peer's device is faulty", "capture the packets"));
            case LOC_ACCESS_ERR ->
                List.of(
                        new Suspect("the peer's WRITE with immediate named a wrong key or range", "look at the peer"),
                        SHARP_RIGHTS);
            case REM_INV_REQ_ERR ->
                List.of(
                        new Suspect("longer than the peer's receive", "let it post longer receives"),
                        new Suspect("the peer's queue pair does not allow the operation", "give it the access flag"),
                        new Suspect(
                                "READ or atomic with the peer's max_dest_rd_atomic 0 or exceeded",
                                "make it at least this side's max_rd_atomic"),
                        new Suspect("a misaligned atomic", "use addresses that are multiples of eight"),
                        new Suspect("path MTUs differ", "make them equal"));
            case REM_ACCESS_ERR ->
                List.of(
                        new Suspect("wrong or stale rkey", "exchange it again after each registration"),
                        new Suspect("the range is not all within the region", "check address and length"),
                        SHARP_RIGHTS,
                        new Suspect("the region is of another domain than the peer's queue pair", "use one domain"));
            case REM_OP_ERR ->
                List.of(
                        new Suspect("the peer's receive has a bad key", "look at the peer's own completion"),
                        new Suspect("Soft-RoCE: longer than the peer's receive", "let it post longer receives"));
            case RETRY_EXC_ERR ->
                List.of(
                        new Suspect("the peer is gone, or its queue pair not in RTR", "look at the peer's state"),
                        new Suspect("wrong GID index, QP number or first PSN", "compare both sides"),
                        new Suspect("path MTU above what the network carries", "try 1024"),
                        new Suspect("UDP port 4791 is blocked", "look at the firewall"),
                        new Suspect("loss, with too few retries or too short a timeout", "use 14 and 7"),
                        new Suspect("the peer's completion queue was overrun", "look for CQ_ERR there"));
            case RNR_RETRY_EXC_ERR ->
                List.of(
                        new Suspect("the peer posted no receive in time", "post receives before sending"),
                        new Suspect("too few RNR retries, or too short a timer of the peer", "raise them"));
            case LOC_RDD_VIOL_ERR, LOC_EEC_OP_ERR, REM_INV_RD_REQ_ERR, INV_EECN_ERR, INV_EEC_STATE_ERR ->
                List.of(NO_SUCH_DEVICE);
            case REM_ABORT_ERR ->
                List.of(new Suspect("the peer gave up: ERR, or a shared resource failed", "look at the peer"));
            case FATAL_ERR ->
                List.of(
                        new Suspect("a device or driver fault", "look for DEVICE_FATAL and at the kernel log"),
                        new Suspect("Soft-RoCE: a READ response to what was no READ", "look for stale packets"));
            case RESP_TIMEOUT_ERR ->
                List.of(new Suspect("a management request got no answer", "look at the subnet manager or the peer"));
            case GENERAL_ERR -> List.of(new Suspect("the vendor knows", "look up vendorError()"));
            case TM_ERR, TM_RNDV_INCOMPLETE ->
                List.of(new Suspect("tag matching, which only Mellanox hardware has", "see its manual"));
            case UNKNOWN ->
                List.of(new Suspect("a status that came after this release", "look up statusCode() in verbs.h"));
        };
    }
}
