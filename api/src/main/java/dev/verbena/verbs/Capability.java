// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * Something that a device can do or not. Choose by these, never by the name of a provider: an operation outside the
 * capabilities throws and names the missing one.
 *
 * @since 1.0
 */
public enum Capability {
    /** Queue pairs of type {@link QpType#RC}. */
    RC("reliable connected queue pairs"),
    /** Queue pairs of type {@link QpType#UC}. */
    UC("unreliable connected queue pairs"),
    /** Queue pairs of type {@link QpType#UD} and address handles. */
    UD("unreliable datagram queue pairs"),
    /** Shared receive queues with a limit event. */
    SRQ("shared receive queues"),
    /** A shared receive queue can change its size while in use. */
    SRQ_RESIZE("resizing of shared receive queues"),
    /** Memory windows bound by a verb. */
    MW_TYPE_1("memory windows of type 1"),
    /** Type 2 windows that belong to a QP number; invalidation checks the domain. */
    MW_TYPE_2A("memory windows of type 2A"),
    /** Type 2 windows that belong to one queue pair and its domain. */
    MW_TYPE_2B("memory windows of type 2B"),
    /** {@link SendOpcode#RDMA_READ}: fetching remote memory. */
    RDMA_READ("reading of remote memory"),
    /**
     * 8-byte atomics on remote memory; {@link DeviceAttributes#atomicCapability()} states against which accesses they
     * are atomic.
     */
    ATOMICS("atomic compare-and-swap and fetch-and-add"),
    /** Eight bytes written to remote memory at once, ordered after earlier READs and writes. */
    ATOMIC_WRITE("atomic writes of eight bytes"),
    /** FLUSH of earlier writes to visibility or persistence. */
    FLUSH("flush of remote memory"),
    /** SEND that invalidates a key at the receiver. */
    SEND_WITH_INV("sends that invalidate a key of the peer"),
    /** Four bytes that travel in the completion. */
    IMMEDIATE_DATA("sends and writes with immediate data"),
    /** {@link SendFlag#INLINE} up to {@link DeviceAttributes#maxInlineData()} bytes. */
    INLINE_DATA("payload copied when posting"),
    /** Regions with {@link AccessFlag#ZERO_BASED}. */
    ZERO_BASED_MR("regions addressed from zero"),
    /** A region can be known to peers under an address that the caller picks. */
    IOVA_MR("regions at an address of the caller's choice"),
    /** Buffers that another driver exports as a file descriptor can be registered. */
    DMABUF_MR("registration of dma-buf memory"),
    /** A region can change memory, domain or rights and keep its identity. */
    REREGISTER_MR("changing a registered region"),
    /** UD queue pairs can attach to multicast groups. */
    UD_MULTICAST("multicast for datagram queue pairs"),
    /** A completion queue can change its capacity while in use. */
    CQ_RESIZE("resizing of completion queues"),
    /** A completion queue can hold announcements back until several completions have come, or a time has passed. */
    CQ_MODERATION("moderation of completion queues"),
    /** A completion queue can be created with {@link CqInitAttributes#timestamps()}. */
    COMPLETION_TIMESTAMP("completions with timestamps of the device's clock"),
    /** Completion queues can notify a channel or a handler. */
    COMPLETION_CHANNEL("waiting for completions"),
    /** Completion queues can be armed with {@link Notification#SOLICITED_ONLY}. */
    SOLICITED_EVENTS("notification for solicited messages only"),
    /** The device reports {@link AsyncEventType} events. */
    ASYNC_EVENTS("asynchronous events"),
    /** Queue pairs know the state {@link QpState#SQD}. */
    SQ_DRAIN("draining of the send queue"),
    /** Registration and invalidation by posted work requests (kernel verbs, MEM_MGT_EXTENSIONS). */
    FAST_REGISTRATION("registration by work request"),
    /**
     * Fast registration of scatter lists whose elements neither start nor end on page boundaries (kernel verbs,
     * SG_GAPS_REG).
     */
    FAST_REGISTRATION_GAPS("fast registration of lists with gaps"),
    /** Pools of regions that are mapped by a call and unmapped later in one go (kernel verbs before 5.8). */
    FMR("fast memory regions"),
    /** An address handle to the sender can be made from a receive completion. */
    AH_FROM_COMPLETION("address handles from received datagrams"),
    /** Queue pairs have options of enhanced connection establishment, {@link Ece}. */
    ECE("enhanced connection establishment"),
    /** The attributes of a queue pair can be queried. */
    QP_QUERY("reading back queue pair attributes"),
    /** Queue pairs can be made without connection manager and moved through their states by modify. DiSNI cannot. */
    MANUAL_CONNECT("connecting queue pairs by modify"),
    /** Peers can be addressed by a global route header, as RoCE always does. */
    GLOBAL_ROUTING("addressing by GID");

    private final String description;

    Capability(String description) {
        this.description = description;
    }

    /**
     * Describes the capability in words, for messages.
     *
     * @return a few words in lower case
     */
    public String description() {
        return description;
    }
}
