// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Connects an RC or UC queue pair to its peer without a connection manager: the two applications exchange the connection
 * data (LID, QPN, PSN, GID) of their queue pairs. Each connection of a queue pair needs a new connector.
 *
 * <pre>{@code
 * QpConnector connector = QpConnector.of(queuePair);
 * send(connector.local());                   // by any means
 * connector.connect(receive());              // the peer's connection data; now in RTS
 * }</pre>
 *
 * <p>The connector uses a new first PSN, the largest path MTU that both ports support, and a GID table entry. A {@link
 * GidSelector} selects this entry. The timeouts and retry counts are the defaults of {@code ibv_rc_pingpong}:
 * acknowledgement timeout 14 (67 ms), 7 retries, unlimited RNR retries, RNR timer 12 (0.64 ms). Up to 16 READs and atomics
 * may be outstanding. The path has P_Key index 0, service level 0 and hop limit 64. The peer's address is a GID on
 * Ethernet, a LID on InfiniBand, and both if the port requires a global route header. A peer in another InfiniBand subnet
 * has a GID with another prefix. For a peer in another subnet, the connector uses the peer's GID and the LID of a router.
 *
 * <p>Not thread-safe.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_modify_qp.3.html">ibv_modify_qp(3)</a>
 * @since 1.0
 */
public final class QpConnector {
    private static final int USUAL_READ_DEPTH = 16;

    private final QueuePair queuePair;
    private final QpEndpoint local;
    private final GidEntry source;
    private final LinkLayer linkLayer;
    private final boolean globalRoute;
    private final int routerLid;
    private final int pkeyIndex;
    private final int serviceLevel;
    private final int trafficClass;
    private final int flowLabel;
    private final int hopLimit;
    private final Set<AccessFlag> access;
    private final AckTimeout ackTimeout;
    private final int retryCount;
    private final RnrRetryCount rnrRetryCount;
    private final RnrTimer minRnrTimer;

    private QpConnector(Builder builder) throws VerbsException {
        queuePair = builder.queuePair;
        Device device = queuePair.protectionDomain().device();
        if (queuePair.type() == QpType.UD) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "QpConnector",
                    "queue pair " + queuePair.number() + " is UD, which has no connection; use an address handle");
        }
        device.require(Capability.MANUAL_CONNECT, "QpConnector");
        PortAttributes port = device.queryPort(builder.port);
        source = builder.gid.select(device, builder.port);
        linkLayer = port.linkLayer();
        globalRoute = linkLayer == LinkLayer.ETHERNET || port.grhRequired() || builder.globalRoute;
        routerLid = builder.routerLid;
        pkeyIndex = builder.pkeyIndex;
        serviceLevel = builder.serviceLevel;
        trafficClass = builder.trafficClass;
        flowLabel = builder.flowLabel;
        hopLimit = builder.hopLimit;
        access = Set.copyOf(builder.access);
        ackTimeout = builder.ackTimeout;
        retryCount = builder.retryCount;
        rnrRetryCount = builder.rnrRetryCount;
        minRnrTimer = builder.minRnrTimer;
        local = new QpEndpoint(
                source.gid(),
                port.lid(),
                queuePair.number(),
                builder.psn == null ? freshPsn(device.runtime().nanoTime(), queuePair.number()) : builder.psn,
                PathMtu.min(builder.pathMtu, port.activeMtu()),
                Math.min(USUAL_READ_DEPTH, device.attributes().maxQpRdAtom()));
    }

    /**
     * Derives the PSN from the clock and the QPN, as TCP derives its first sequence numbers. Under virtual time, each
     * execution of a simulation has the same PSNs.
     */
    private static Psn freshPsn(long nanoTime, int queuePairNumber) {
        long mixed = (nanoTime + ((long) queuePairNumber << 40)) * 0x9E37_79B9_7F4A_7C15L;
        return Psn.of((int) (mixed >>> 40));
    }

    /**
     * Creates a connector with the default values: port 1, the GID of {@link GidSelector#automatic()}, and the access right
     * REMOTE_WRITE for the peer. On an RC queue pair, the default access rights also include REMOTE_READ. The device
     * executes a peer's RDMA or atomic request only if both the queue pair and the memory region grant the required access
     * right.
     *
     * @param queuePair an RC or UC queue pair in RESET or INIT
     * @return the connector
     * @throws VerbsException as {@link Builder#build()}
     */
    public static QpConnector of(QueuePair queuePair) throws VerbsException {
        return builder(queuePair).build();
    }

    /**
     * Creates a builder with the default values.
     *
     * @param queuePair an RC or UC queue pair in RESET or INIT
     * @return a new builder
     */
    public static Builder builder(QueuePair queuePair) {
        return new Builder(queuePair);
    }

    /** {@return the connection data of the local queue pair that the peer needs, such as LID, QPN, PSN and GID} */
    public QpEndpoint local() {
        return local;
    }

    /**
     * Modifies the queue pair to INIT, so that the application can post receives. An application need not call {@code
     * initialize}, because {@link #connect} also modifies the queue pair to INIT.
     *
     * @throws VerbsException {@code EINVAL} if the queue pair is not in RESET
     */
    public void initialize() throws VerbsException {
        queuePair.modify(QpAttributes.builder()
                .state(QpState.INIT)
                .port(source.port())
                .pkeyIndex(pkeyIndex)
                .access(access)
                .build());
    }

    /**
     * Modifies the queue pair to RTS and connects it to the peer. The application may send after both applications have
     * connected their queue pairs.
     *
     * @param peer the connection data of the peer's queue pair, such as LID, QPN, PSN and GID
     * @throws VerbsException {@code EADDRNOTAVAIL} if the GIDs of the two peers have different IP versions, or if the
     *     connector has no route to the peer's InfiniBand subnet. Either {@link Builder#routerLid} or {@link
     *     Builder#globalRoute} enables routes to other subnets. A port that requires a global route header also enables
     *     routes to other subnets. {@code EINVAL} if the queue pair is neither in RESET nor in INIT. {@link
     *     QueuePair#modify} can also fail. After an error the queue pair stays in the last state that it reached, and the
     *     application can modify it to RESET
     */
    public void connect(QpEndpoint peer) throws VerbsException {
        AddressVector path = pathTo(peer);
        if (queuePair.state() != QpState.INIT) {
            initialize();
        }
        boolean reliable = queuePair.type() == QpType.RC;
        QpAttributesBuilder receiving = QpAttributes.builder()
                .state(QpState.RTR)
                .addressVector(path)
                .pathMtu(PathMtu.min(local.mtu(), peer.mtu()))
                .destinationQpn(peer.queuePairNumber())
                .rqPsn(peer.psn());
        QpAttributesBuilder sending = QpAttributes.builder().state(QpState.RTS).sqPsn(local.psn());
        if (reliable) {
            receiving.maxDestRdAtomic(local.readDepth()).minRnrTimer(minRnrTimer);
            int depth = queuePair.protectionDomain().device().attributes().maxQpInitRdAtom();
            sending.ackTimeout(ackTimeout)
                    .retryCount(retryCount)
                    .rnrRetryCount(rnrRetryCount)
                    .maxRdAtomic(Math.min(peer.readDepth(), depth));
        }
        queuePair.modify(receiving.build());
        queuePair.modify(sending.build());
    }

    private AddressVector pathTo(QpEndpoint peer) throws VerbsException {
        boolean ethernet = linkLayer == LinkLayer.ETHERNET;
        if (ethernet && peer.gid().isIpv4() != local.gid().isIpv4()) {
            throw new VerbsException(
                    Errno.EADDRNOTAVAIL,
                    "QpConnector.connect",
                    "the peer's GID " + peer.gid() + " and the local GID " + local.gid()
                            + " have different IP versions; select another local GID by GidSelector.ofAddress");
        }
        AddressVector.Builder path = AddressVector.builder().port(source.port()).serviceLevel(serviceLevel);
        boolean routed = !ethernet && isInAnotherSubnet(peer);
        if (routed && routerLid == 0 && !globalRoute) {
            throw new VerbsException(
                    Errno.EADDRNOTAVAIL,
                    "QpConnector.connect",
                    "the peer at " + peer.gid() + " is in another InfiniBand subnet than " + local.gid()
                            + "; set routerLid, or use the connection manager, which queries the subnet manager");
        }
        if (!ethernet) {
            path.destinationLid(routed && routerLid != 0 ? routerLid : peer.lid());
        }
        if (globalRoute || routed) {
            path.route(new GlobalRoute(peer.gid(), flowLabel, source.index(), hopLimit, trafficClass));
        }
        return path.build();
    }

    /** Compares the subnet prefixes of the two GIDs. Treats a peer without GID as a peer in the same subnet. */
    private boolean isInAnotherSubnet(QpEndpoint peer) {
        return !peer.gid().equals(Gid.ZERO) && peer.gid().high() != local.gid().high();
    }

    /**
     * A builder of {@link QpConnector}. A value that the application does not set keeps the default. Not thread-safe.
     *
     * @since 1.0
     */
    public static final class Builder {
        private final QueuePair queuePair;
        private int port = 1;
        private GidSelector gid = GidSelector.automatic();
        private Set<AccessFlag> access;
        private boolean globalRoute;
        private int routerLid;
        private int pkeyIndex;
        private int serviceLevel;
        private int trafficClass;
        private int flowLabel;
        private int hopLimit = 64;
        private @Nullable Psn psn;
        private PathMtu pathMtu = PathMtu.MTU_4096;
        private AckTimeout ackTimeout = AckTimeout.ofCode(14);
        private int retryCount = 7;
        private RnrRetryCount rnrRetryCount = RnrRetryCount.FOREVER;
        private RnrTimer minRnrTimer = RnrTimer.ofCode(12);

        private Builder(QueuePair queuePair) {
            this.queuePair = queuePair;
            access = queuePair.type() == QpType.RC
                    ? Set.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ)
                    : Set.of(AccessFlag.REMOTE_WRITE);
        }

        /**
         * Sets the port of the device. The default is port 1.
         *
         * @param value the port, from 1
         * @return this builder
         */
        public Builder port(int value) {
            this.port = value;
            return this;
        }

        /**
         * Sets the selector of the GID. The default is {@link GidSelector#automatic()}.
         *
         * @param value the selector
         * @return this builder
         */
        public Builder gid(GidSelector value) {
            this.gid = value;
            return this;
        }

        /**
         * Adds a global route header to the peer's address vector on InfiniBand, even if the port does not require it. If
         * packets to the peer pass an InfiniBand router, they need the global route header. If the application does not
         * call {@link #routerLid}, the connection data ({@link QpEndpoint}) of a peer behind a router must have the
         * router's LID. On Ethernet the peer's address vector always has a GID.
         *
         * @return this builder
         */
        public Builder globalRoute() {
            this.globalRoute = true;
            return this;
        }

        /**
         * Sets the router through which the local port sends packets to peers in other InfiniBand subnets. A path record of
         * the subnet manager has the LID of the router ({@code saquery}(8)).
         *
         * @param value the LID of the router port that is in the local port's subnet, 1..0xBFFF
         * @return this builder
         * @throws IllegalArgumentException if out of range
         */
        public Builder routerLid(int value) {
            this.routerLid =
                    ValueChecks.inRange("routerLid", value, 1, 0xBFFF, "LIDs from 0xC000 are multicast groups");
            return this;
        }

        /**
         * Sets the partition.
         *
         * @param value the index of the partition in the port's P_Key table, 0..0xFFFF
         * @return this builder
         * @throws IllegalArgumentException if out of range
         */
        public Builder pkeyIndex(int value) {
            this.pkeyIndex = ValueChecks.inRange("pkeyIndex", value, 0, 0xFFFF, "the field has 16 bits");
            return this;
        }

        /**
         * Sets the service level, which selects the virtual lane on InfiniBand and the priority (PCP) on a VLAN.
         *
         * @param value 0..15
         * @return this builder
         * @throws IllegalArgumentException if out of range
         */
        public Builder serviceLevel(int value) {
            this.serviceLevel = ValueChecks.inRange("serviceLevel", value, 0, 15, "the field has 4 bits");
            return this;
        }

        /**
         * Sets the traffic class of the global route header. With RoCEv2 the traffic class is the type of service (DSCP
         * and ECN) of the IP header.
         *
         * @param value 0..255
         * @return this builder
         * @throws IllegalArgumentException if out of range
         */
        public Builder trafficClass(int value) {
            this.trafficClass = ValueChecks.inRange("trafficClass", value, 0, 0xFF, "the field has 8 bits");
            return this;
        }

        /**
         * Sets the flow label of the global route header. With RoCEv2 the device derives the UDP source port from the
         * flow label.
         *
         * @param value 0..0xFFFFF; with 0 the device derives the UDP source port from the QPNs of the two queue pairs
         * @return this builder
         * @throws IllegalArgumentException if out of range
         */
        public Builder flowLabel(int value) {
            this.flowLabel = ValueChecks.inRange("flowLabel", value, 0, 0xF_FFFF, "the field has 20 bits");
            return this;
        }

        /**
         * Sets the hop limit of the global route header. With RoCEv2 the hop limit is the time to live of the IP header.
         *
         * @param value 0..255
         * @return this builder
         * @throws IllegalArgumentException if out of range
         */
        public Builder hopLimit(int value) {
            this.hopLimit = ValueChecks.inRange("hopLimit", value, 0, 0xFF, "64 is usual");
            return this;
        }

        /**
         * Sets the access rights that the queue pair grants to the peer. The device executes a peer's RDMA or atomic
         * request only if both the queue pair and the memory region grant the required access right.
         *
         * @param value REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC, or none
         * @return this builder
         */
        public Builder access(AccessFlag... value) {
            this.access = EnumSet.noneOf(AccessFlag.class);
            this.access.addAll(List.of(value));
            return this;
        }

        /**
         * Sets the first PSN that the local queue pair sends.
         *
         * @param value the packet sequence number
         * @return this builder
         */
        public Builder psn(Psn value) {
            this.psn = value;
            return this;
        }

        /**
         * Limits the path MTU, which is otherwise the largest path MTU that both ports support.
         *
         * @param value the largest path MTU
         * @return this builder
         */
        public Builder pathMtu(PathMtu value) {
            this.pathMtu = value;
            return this;
        }

        /**
         * Sets the time that the requester waits for an acknowledgement. RC only.
         *
         * @param value the timeout
         * @return this builder
         */
        public Builder ackTimeout(AckTimeout value) {
            this.ackTimeout = value;
            return this;
        }

        /**
         * Sets the maximum number of retransmissions of an unacknowledged request. RC only.
         *
         * @param value 0..7
         * @return this builder
         * @throws IllegalArgumentException if out of range
         */
        public Builder retryCount(int value) {
            this.retryCount = ValueChecks.inRange("retryCount", value, 0, 7, "the field has three bits");
            return this;
        }

        /**
         * Sets the maximum number of retransmissions after receiver-not-ready NAKs. RC only.
         *
         * @param value the count
         * @return this builder
         */
        public Builder rnrRetryCount(RnrRetryCount value) {
            this.rnrRetryCount = value;
            return this;
        }

        /**
         * Sets the time that the peer must wait after an RNR NAK before it retransmits. RC only.
         *
         * @param value the timer
         * @return this builder
         */
        public Builder minRnrTimer(RnrTimer value) {
            this.minRnrTimer = value;
            return this;
        }

        /**
         * Queries the port and the GID table, and creates the connector.
         *
         * @return the connector for the queue pair; {@code build} does not change the queue pair
         * @throws VerbsException {@code EINVAL} for a UD queue pair, or if the port does not exist; {@code EADDRNOTAVAIL}
         *     if no GID matches; {@link CapabilityException} without {@link Capability#MANUAL_CONNECT}
         */
        public QpConnector build() throws VerbsException {
            return new QpConnector(this);
        }
    }
}
