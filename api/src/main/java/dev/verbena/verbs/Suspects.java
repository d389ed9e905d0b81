// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.List;

/** The table of the usual causes of each completion status, for {@link WorkCompletionStatus#suspects()}. */
final class Suspects {
    private static final Suspect NO_SUCH_DEVICE = new Suspect(
            "reliable datagrams, which no device has", "check whether the program decoded the status correctly");
    private static final Suspect SHARP_RIGHTS = new Suspect(
            "the region, the window or the queue pair lacks an access flag", "compare the access flags of all three");

    private Suspects() {}

    static List<Suspect> of(WorkCompletionStatus status) {
        return switch (status) {
            case SUCCESS -> List.of();
            case LOC_LEN_ERR ->
                List.of(
                        new Suspect("the message is longer than the posted receive", "post longer receives"),
                        new Suspect("a UD receive lacks the 40 bytes for the global route header", "add 40 bytes"),
                        new Suspect(
                                "a UD message is longer than the path MTU",
                                "send shorter messages, or use a connection"),
                        new Suspect(
                                "the two path MTUs differ, so a READ response has another length",
                                "set equal path MTUs"));
            case LOC_QP_OP_ERR ->
                List.of(
                        new Suspect(
                                "a READ or an atomic with max_rd_atomic 0",
                                "set max_rd_atomic in the transition to RTS"),
                        new Suspect("the queue pair type does not have the opcode", "see the Javadoc of QpType"),
                        new Suspect(
                                "the device refused a local invalidate or a fast registration",
                                "check the state of the key"),
                        new Suspect(
                                "Soft-RoCE: a receive is too short or has an invalid key",
                                "check the receive that failed"));
            case LOC_PROT_ERR ->
                List.of(
                        new Suspect("a scatter/gather entry ends outside of its region", "check offset and length"),
                        new Suspect(
                                "the region is closed, or belongs to another protection domain",
                                "keep the region open until the completion"),
                        new Suspect(
                                "the region of a receive, a READ or an atomic lacks LOCAL_WRITE",
                                "register with LOCAL_WRITE"));
            case WR_FLUSH_ERR ->
                List.of(
                        new Suspect(
                                "an earlier request of this queue pair failed",
                                "find the first completion with another status: rootCause()"),
                        new Suspect(
                                "the connection was disconnected, or the program moved the queue pair to ERR",
                                "no cure is needed"),
                        new Suspect("a request was posted to a queue pair in ERR", "check the state before the post"),
                        new Suspect("a completion queue was overrun", "check for the event CQ_ERR"));
            case MW_BIND_ERR ->
                List.of(
                        new Suspect("the region lacks MW_BIND", "register with MW_BIND"),
                        new Suspect(
                                "the window would grant more access than the region",
                                "request fewer access rights, or register the region with more"),
                        new Suspect(
                                "the range is outside of the region, or the protection domains differ",
                                "bind a range of the region, in its protection domain"));
            case BAD_RESP_ERR ->
                List.of(
                        new Suspect(
                                "packets of an earlier connection with the same QP numbers", "use random first PSNs"),
                        new Suspect("the two path MTUs differ", "set equal path MTUs"),
                        new Suspect("the peer's device is faulty", "capture the packets"));
            case LOC_ACCESS_ERR ->
                List.of(
                        new Suspect(
                                "the peer's WRITE with immediate data has a wrong key or range",
                                "check the peer's request"),
                        SHARP_RIGHTS);
            case REM_INV_REQ_ERR ->
                List.of(
                        new Suspect(
                                "the message is longer than the peer's receive", "post longer receives at the peer"),
                        new Suspect(
                                "the peer's queue pair does not permit the operation",
                                "set the access flag of the peer's queue pair"),
                        new Suspect(
                                "the peer's max_dest_rd_atomic is 0, or less than the outstanding READs and atomics",
                                "set it to at least max_rd_atomic of this side"),
                        new Suspect("a misaligned atomic", "use addresses that are multiples of eight"),
                        new Suspect("the two path MTUs differ", "set equal path MTUs"));
            case REM_ACCESS_ERR ->
                List.of(
                        new Suspect(
                                "the rkey is wrong or no longer valid",
                                "exchange the rkey again after each registration"),
                        new Suspect("a part of the range is outside of the region", "check address and length"),
                        SHARP_RIGHTS,
                        new Suspect(
                                "the region and the peer's queue pair have different protection domains",
                                "use one protection domain"));
            case REM_OP_ERR ->
                List.of(
                        new Suspect(
                                "the peer's receive has an invalid key", "check the completion of the peer's receive"),
                        new Suspect(
                                "Soft-RoCE: the message is longer than the peer's receive",
                                "post longer receives at the peer"));
            case RETRY_EXC_ERR ->
                List.of(
                        new Suspect(
                                "the peer has ended, or its queue pair has not reached RTR",
                                "check the state of the peer"),
                        new Suspect("wrong GID index, QP number or first PSN", "compare both sides"),
                        new Suspect("the path MTU exceeds the MTU of the network", "try a path MTU of 1024"),
                        new Suspect("UDP port 4791 is blocked", "check the firewall"),
                        new Suspect(
                                "packets are lost, and the retries are too few or the timeout is too short",
                                "use timeout 14 and retry_cnt 7"),
                        new Suspect("the peer's completion queue was overrun", "check for CQ_ERR at the peer"));
            case RNR_RETRY_EXC_ERR ->
                List.of(
                        new Suspect("the peer posted no receive in time", "post receives before sending"),
                        new Suspect(
                                "the RNR retries are too few, or the peer's RNR timer is too short",
                                "increase rnr_retry or min_rnr_timer"));
            case LOC_RDD_VIOL_ERR, LOC_EEC_OP_ERR, REM_INV_RD_REQ_ERR, INV_EECN_ERR, INV_EEC_STATE_ERR ->
                List.of(NO_SUCH_DEVICE);
            case REM_ABORT_ERR ->
                List.of(new Suspect(
                        "the peer's queue pair moved to ERR, or a shared resource of the peer failed",
                        "check the peer"));
            case FATAL_ERR ->
                List.of(
                        new Suspect("a device or driver fault", "check for DEVICE_FATAL, and check the kernel log"),
                        new Suspect(
                                "Soft-RoCE: a READ response arrived for a request that is not a READ",
                                "check for packets of an earlier connection"));
            case RESP_TIMEOUT_ERR ->
                List.of(new Suspect("a management request got no response", "check the subnet manager or the peer"));
            case GENERAL_ERR ->
                List.of(new Suspect("only the vendor defines the cause", "see vendorError() in the vendor's manual"));
            case TM_ERR, TM_RNDV_INCOMPLETE ->
                List.of(new Suspect("tag matching, which only Mellanox hardware has", "see its manual"));
            case UNKNOWN ->
                List.of(new Suspect("this release does not know the status", "see statusCode() in verbs.h"));
        };
    }
}
