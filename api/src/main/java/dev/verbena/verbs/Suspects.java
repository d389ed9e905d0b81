package dev.verbena.verbs;

import java.util.List;

/** What each completion status usually comes from: the table behind {@link WorkCompletionStatus#suspects()}. */
final class Suspects {
    private static final Suspect NO_SUCH_DEVICE =
            new Suspect("reliable datagrams, which no device has", "look whether the status was decoded rightly");
    private static final Suspect SHARP_RIGHTS = new Suspect(
            "a right is missing on the region, the window, or the queue pair", "compare the access flags of all three");

    private Suspects() {}

    static List<Suspect> of(WorkCompletionStatus status) {
        return switch (status) {
            case SUCCESS -> List.of();
            case LOCAL_LENGTH_ERROR ->
                List.of(
                        new Suspect("the peer sent more than the posted receive holds", "post longer receives"),
                        new Suspect("a UD receive lacks the 40 bytes for the routing header", "add 40 bytes"),
                        new Suspect("a UD message is longer than one path MTU", "send less, or use a connection"),
                        new Suspect("path MTUs differ, so that a READ answer has another size", "make them equal"));
            case LOCAL_QP_OPERATION_ERROR ->
                List.of(
                        new Suspect("READ or atomic with max_rd_atomic 0", "set it when going to RTS"),
                        new Suspect("an opcode that the queue pair's type does not have", "look at QpType"),
                        new Suspect("a refused local invalidate or fast registration", "look at the key's state"),
                        new Suspect(
                                "Soft-RoCE: a receive that is too short or has a bad key",
                                "look at the receive that failed"));
            case LOCAL_PROTECTION_ERROR ->
                List.of(
                        new Suspect("an entry reaches beyond its region", "check offset and length"),
                        new Suspect("the region is closed, or of another protection domain", "keep it open until then"),
                        new Suspect("no LOCAL_WRITE for a receive, a READ or an atomic", "register with LOCAL_WRITE"));
            case WORK_REQUEST_FLUSHED_ERROR ->
                List.of(
                        new Suspect(
                                "an earlier request of this queue pair failed",
                                "look for the first completion with another status: rootCause()"),
                        new Suspect("a disconnect, or the program went to ERR", "this is the expected end then"),
                        new Suspect("a request was posted to a queue pair in ERR", "look at its state first"),
                        new Suspect("a completion queue was overrun", "look for the event CQ_ERROR"));
            case MEMORY_WINDOW_BIND_ERROR ->
                List.of(
                        new Suspect("the region lacks MW_BIND", "register with MW_BIND"),
                        new Suspect("the window would grant more than the region", "ask for less, or register more"),
                        new Suspect("range or domain do not fit", "bind within the region, in its domain"));
            case BAD_RESPONSE_ERROR ->
                List.of(
                        new Suspect("packets of an earlier connection with the same numbers", "use random first PSNs"),
                        new Suspect("path MTUs differ", "make them equal"),
                        new Suspect("the peer's device is faulty", "capture the packets"));
            case LOCAL_ACCESS_ERROR ->
                List.of(
                        new Suspect("the peer's WRITE with immediate named a wrong key or range", "look at the peer"),
                        SHARP_RIGHTS);
            case REMOTE_INVALID_REQUEST_ERROR ->
                List.of(
                        new Suspect("longer than the peer's receive", "let it post longer receives"),
                        new Suspect("the peer's queue pair does not allow the operation", "give it the access flag"),
                        new Suspect(
                                "READ or atomic with the peer's max_dest_rd_atomic 0 or exceeded",
                                "make it at least this side's max_rd_atomic"),
                        new Suspect("a misaligned atomic", "use addresses that are multiples of eight"),
                        new Suspect("path MTUs differ", "make them equal"));
            case REMOTE_ACCESS_ERROR ->
                List.of(
                        new Suspect("wrong or stale rkey", "exchange it again after each registration"),
                        new Suspect("the range is not all within the region", "check address and length"),
                        SHARP_RIGHTS,
                        new Suspect("the region is of another domain than the peer's queue pair", "use one domain"));
            case REMOTE_OPERATION_ERROR ->
                List.of(
                        new Suspect("the peer's receive has a bad key", "look at the peer's own completion"),
                        new Suspect("Soft-RoCE: longer than the peer's receive", "let it post longer receives"));
            case RETRY_EXCEEDED_ERROR ->
                List.of(
                        new Suspect("the peer is gone, or its queue pair not in RTR", "look at the peer's state"),
                        new Suspect("wrong GID index, QP number or first PSN", "compare both sides"),
                        new Suspect("path MTU above what the network carries", "try 1024"),
                        new Suspect("UDP port 4791 is blocked", "look at the firewall"),
                        new Suspect("loss, with too few retries or too short a timeout", "use 14 and 7"),
                        new Suspect("the peer's completion queue was overrun", "look for CQ_ERROR there"));
            case RNR_RETRY_EXCEEDED_ERROR ->
                List.of(
                        new Suspect("the peer posted no receive in time", "post receives before sending"),
                        new Suspect("too few RNR retries, or too short a timer of the peer", "raise them"));
            case LOCAL_RDD_VIOLATION_ERROR,
                    LOCAL_EEC_OPERATION_ERROR,
                    REMOTE_INVALID_RD_REQUEST_ERROR,
                    INVALID_EECN_ERROR,
                    INVALID_EEC_STATE_ERROR -> List.of(NO_SUCH_DEVICE);
            case REMOTE_ABORTED_ERROR ->
                List.of(new Suspect("the peer gave up: ERR, or a shared resource failed", "look at the peer"));
            case FATAL_ERROR ->
                List.of(
                        new Suspect("a device or driver fault", "look for DEVICE_FATAL and at the kernel log"),
                        new Suspect("Soft-RoCE: a READ response to what was no READ", "look for stale packets"));
            case RESPONSE_TIMEOUT_ERROR ->
                List.of(new Suspect("a management request got no answer", "look at the subnet manager or the peer"));
            case GENERAL_ERROR -> List.of(new Suspect("the vendor knows", "look up vendorError()"));
            case TAG_MATCHING_ERROR, TAG_MATCHING_RENDEZVOUS_INCOMPLETE ->
                List.of(new Suspect("tag matching, which only Mellanox hardware has", "see its manual"));
        };
    }
}
