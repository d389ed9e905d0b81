// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * An optional feature of a device. An application must check for the feature, not for the name of a provider. If the device
 * lacks the capability for an operation, the operation throws an exception that names the capability.
 *
 * @since 1.0
 */
public enum Capability {
    /** Queue pairs of type {@link QpType#RC}. */
    RC("reliable connected queue pairs"),
    /** Queue pairs of type {@link QpType#UC}. */
    UC("unreliable connected queue pairs"),
    /** The device supports queue pairs of type {@link QpType#UD} and address handles. */
    UD("unreliable datagram queue pairs"),
    /** The device supports shared receive queues and their limit event. */
    SRQ("shared receive queues"),
    /** A shared receive queue can change its size while in use. */
    SRQ_RESIZE("resizing of shared receive queues"),
    /** Type 1 memory windows, which {@link QueuePair#bindMemoryWindow} binds. */
    MW_TYPE_1("memory windows of type 1"),
    /** Type 2 memory windows bound to a QP number. Any queue pair of the protection domain can invalidate the window. */
    MW_TYPE_2A("memory windows of type 2A"),
    /** Type 2 memory windows that are bound to one queue pair and its protection domain. */
    MW_TYPE_2B("memory windows of type 2B"),
    /** {@link SendOpcode#RDMA_READ}: reading of remote memory. */
    RDMA_READ("reading of remote memory"),
    /** 8-byte atomics on remote memory. {@link DeviceAttributes#atomicCapability()} returns the scope of the atomics. */
    ATOMICS("atomic compare-and-swap and fetch-and-add"),
    /** Atomic RDMA writes of eight bytes. The responder executes an atomic write after all earlier READs and writes. */
    ATOMIC_WRITE("atomic writes of eight bytes"),
    /** FLUSH, which makes earlier writes visible or persistent. */
    FLUSH("flush of remote memory"),
    /** SEND with invalidate: the SEND invalidates an R_Key of the peer. */
    SEND_WITH_INV("sends that invalidate a key of the peer"),
    /** Immediate data: a SEND or RDMA WRITE carries four additional bytes, which the receiver's completion reports. */
    IMMEDIATE_DATA("sends and writes with immediate data"),
    /** {@link SendFlag#INLINE} up to {@link DeviceAttributes#maxInlineData()} bytes. */
    INLINE_DATA("payload copied when posting"),
    /** Regions with {@link AccessFlag#ZERO_BASED}. */
    ZERO_BASED_MR("regions addressed from zero"),
    /**
     * An application can select the iova of a memory region: the address by which work requests and peers access its first
     * byte.
     */
    IOVA_MR("regions at an address of the caller's choice"),
    /** Registration of buffers that another driver exports as a file descriptor (dma-buf). */
    DMABUF_MR("registration of dma-buf memory"),
    /**
     * Regions with {@link AccessFlag#ON_DEMAND}, and {@link ProtectionDomain#adviseMr};
     * {@link DeviceAttributes#odpCapabilities()} lists the operations that may access these regions.
     */
    ON_DEMAND_PAGING("on-demand paging"),
    /** {@link ProtectionDomain#registerImplicit} can register the whole address space of the process. */
    IMPLICIT_ON_DEMAND_PAGING("on-demand regions of the whole address space"),
    /** An application can change the memory, the protection domain or the access rights of an open memory region. */
    REREGISTER_MR("changing a registered region"),
    /** UD queue pairs can attach to multicast groups. */
    UD_MULTICAST("multicast for datagram queue pairs"),
    /** A completion queue can change its capacity while in use. */
    CQ_RESIZE("resizing of completion queues"),
    /**
     * A completion queue can delay a completion event until a given number of completions was added or a given time has
     * passed.
     */
    CQ_MODERATION("moderation of completion queues"),
    /** A completion queue can be created with {@link CqInitAttributes#timestamps()}. */
    COMPLETION_TIMESTAMP("completions with timestamps of the device's clock"),
    /** Completion queues can notify a channel or a handler. */
    COMPLETION_CHANNEL("waiting for completions"),
    /** Completion queues can be armed with {@link Notification#SOLICITED_ONLY}. */
    SOLICITED_EVENTS("notification for solicited messages only"),
    /** The device reports {@link AsyncEventType} events. */
    ASYNC_EVENTS("asynchronous events"),
    /** Queue pairs support the state {@link QpState#SQD}. */
    SQ_DRAIN("draining of the send queue"),
    /** Posted work requests can register memory and invalidate keys (kernel verbs, MEM_MGT_EXTENSIONS). */
    FAST_REGISTRATION("registration by work request"),
    /**
     * Fast registration of scatter lists with gaps: each element may start and end at any address (kernel verbs,
     * SG_GAPS_REG).
     */
    FAST_REGISTRATION_GAPS("fast registration of lists with gaps"),
    /**
     * Fast memory regions (FMR, kernel verbs before 5.8): a call maps pages to one FMR, and a later call unmaps many FMRs.
     */
    FMR("fast memory regions"),
    /** From the completion of a receive, an application can create an address handle for the sender of the message. */
    AH_FROM_COMPLETION("address handles from received datagrams"),
    /** Queue pairs have the options of enhanced connection establishment, {@link Ece}. */
    ECE("enhanced connection establishment"),
    /** The attributes of a queue pair can be queried. */
    QP_QUERY("reading back queue pair attributes"),
    /**
     * An application can create queue pairs without the connection manager, and can change the states of these queue pairs
     * with {@link QueuePair#modify}. The DiSNI provider lacks this capability.
     */
    MANUAL_CONNECT("connecting queue pairs by modify"),
    /** An application can address a peer by a {@link GlobalRoute}. RoCE always requires a global route. */
    GLOBAL_ROUTING("addressing by GID");

    private final String description;

    Capability(String description) {
        this.description = description;
    }

    /** {@return a phrase in lower case that describes the capability in messages} */
    public String description() {
        return description;
    }
}
