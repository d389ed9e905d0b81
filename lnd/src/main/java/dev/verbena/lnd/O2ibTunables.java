// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnd.wire.Checksum;
import dev.verbena.lnd.wire.Protocol;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The parameters of a node's LND, with the names and defaults of the kernel module {@code ko2iblnd}. Immutable. */
public final class O2ibTunables {
    private static final int MIN_PEER_CREDITS = 8;
    private static final long MIN_MEMORY = 4L << 20;
    private static final long MAX_MEMORY = Integer.MAX_VALUE * NodeMemory.PAGE;

    private final Values values;

    record Values(
            int service,
            int peerCredits,
            int peerCreditsHiw,
            int concurrentSends,
            int connsPerPeer,
            int wrqSge,
            int retryCount,
            int rnrRetryCount,
            Duration timeout,
            Duration keepalive,
            boolean usePrivilegedPort,
            boolean requirePrivilegedPort,
            int tos,
            @Nullable Checksum checksum,
            TieBreak tieBreak,
            RegistrationTunables registration,
            int cpuPartitions,
            int nscheds,
            int ntx,
            boolean failover,
            long memory) {
        Values {
            require("service", service, 1, 65535);
            require("connsPerPeer", connsPerPeer, 1, 127);
            require("wrqSge", wrqSge, 1, 255);
            require("retryCount", retryCount, 0, 7);
            require("rnrRetryCount", rnrRetryCount, 0, 7);
            require("tos", tos, -1, 255);
            require("cpuPartitions", cpuPartitions, 1, 1024);
            require("nscheds", nscheds, 1, 64);
            require("ntx", ntx, 1, 1 << 20);
            require("memory", memory, MIN_MEMORY, MAX_MEMORY);
            if (timeout.compareTo(Duration.ZERO) <= 0 || keepalive.isNegative()) {
                throw new IllegalArgumentException(
                        "timeout " + timeout + " must be positive and keepalive " + keepalive + " not negative");
            }
            peerCredits = Math.clamp(peerCredits, MIN_PEER_CREDITS, Protocol.MAX_CREDITS);
            peerCreditsHiw = Math.clamp(peerCreditsHiw, peerCredits / 2, peerCredits - 1);
            concurrentSends =
                    concurrentSends == 0 ? peerCredits : Math.clamp(concurrentSends, peerCredits / 2, 2 * peerCredits);
        }
    }

    private O2ibTunables(Values values) {
        this.values = values;
    }

    /** {@return the port on which each node listens; must be the same on all nodes; default 987} */
    public int service() {
        return values.service;
    }

    /**
     * {@return the queue depth that this node offers to a peer; 8 to 255, default 8} The queue depth is also the
     * maximum number of messages in flight to the peer.
     */
    public int peerCredits() {
        return values.peerCredits;
    }

    /** {@return how many owed credits trigger a NOOP; {@code peerCredits / 2} (default) to {@code peerCredits - 1}} */
    public int peerCreditsHiw() {
        return values.peerCreditsHiw;
    }

    /** {@return the maximum number of posted SENDs, 0.5 to 2 times {@code peerCredits}; default {@code peerCredits}} */
    public int concurrentSends() {
        return values.concurrentSends;
    }

    /** {@return the number of connections that this node opens to a peer; 1 to 127, default 1} */
    public int connsPerPeer() {
        return values.connsPerPeer;
    }

    /** {@return the maximum number of scatter/gather entries per RDMA WRITE; 1 or more, default 2} */
    public int wrqSge() {
        return values.wrqSge;
    }

    /** {@return how often a packet is retransmitted before the connection fails; 0 to 7, default 5} */
    public int retryCount() {
        return values.retryCount;
    }

    /** {@return the number of retries after RNR NAKs; 0 to 7, where 7 means no limit; default 6} */
    public int rnrRetryCount() {
        return values.rnrRetryCount;
    }

    /** {@return the timeout after which an unfinished message closes its connection; default 50 s} */
    public Duration timeout() {
        return values.timeout;
    }

    /** {@return the idle time of a connection after which a NOOP is sent; zero for never; default 100 s} */
    public Duration keepalive() {
        return values.keepalive;
    }

    /** {@return whether this node connects from a port below 1024 if the system permits it; default true} */
    public boolean usePrivilegedPort() {
        return values.usePrivilegedPort;
    }

    /** {@return whether this node rejects peers that connect from a port above 1023; default false} */
    public boolean requirePrivilegedPort() {
        return values.requirePrivilegedPort;
    }

    /** {@return the type of service of sent packets, 0 to 255; -1, the default, if it is not set} */
    public int tos() {
        return values.tos;
    }

    /**
     * {@return the checksum of sent messages, or null (the default) if they have no checksum; received checksums are
     * always checked}
     */
    public @Nullable Checksum checksum() {
        return values.checksum;
    }

    /** {@return the tie-break that decides which one of two simultaneous connection requests succeeds} */
    public TieBreak tieBreak() {
        return values.tieBreak;
    }

    /** {@return the parameters of memory registration} */
    public RegistrationTunables registration() {
        return values.registration;
    }

    /** {@return the number of CPU partitions, like Lustre's {@code cpu_npartitions}; 1 to 1024, default 1} */
    public int cpuPartitions() {
        return values.cpuPartitions;
    }

    /**
     * {@return the maximum number of {@code SerialTask}s that handle the completions of a CPU partition at the same time; 1
     * to 64, default 1}
     */
    public int nscheds() {
        return values.nscheds;
    }

    /** {@return the initial number of a node's transmit descriptors; 1 or more, default 512} */
    public int ntx() {
        return values.ntx;
    }

    /**
     * {@return whether the node moves to another device if its device fails or is removed ({@code dev_failover}); default
     * false}
     */
    public boolean failover() {
        return values.failover;
    }

    /** {@return the size in bytes of the memory for messages and {@link LnetNode#allocate}; default 64 MiB} */
    public long memory() {
        return values.memory;
    }

    private static void require(String name, long value, long lowest, long highest) {
        if (value < lowest || value > highest) {
            throw new IllegalArgumentException(name + " " + value + " is not in " + lowest + ".." + highest);
        }
    }

    /** {@return the maximum number of LNet messages in progress to one peer; later messages wait} */
    public int peerShare() {
        return values.peerCredits * values.connsPerPeer;
    }

    /** {@return the tunables that a Lustre node has if no module option is set} */
    public static O2ibTunables defaults() {
        return builder().build();
    }

    /** {@return a builder with the defaults} */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link O2ibTunables}. Each method of the builder sets the parameter that has the method's name. */
    public static final class Builder {
        private int service = Protocol.DEFAULT_SERVICE;
        private int peerCredits = MIN_PEER_CREDITS;
        private int peerCreditsHiw;
        private int concurrentSends;
        private int connsPerPeer = 1;
        private int wrqSge = 2;
        private int retryCount = 5;
        private int rnrRetryCount = 6;
        private Duration timeout = Duration.ofSeconds(50);
        private Duration keepalive = Duration.ofSeconds(100);
        private boolean usePrivilegedPort = true;
        private boolean requirePrivilegedPort;
        private int tos = -1;
        private @Nullable Checksum checksum;
        private TieBreak tieBreak = TieBreak.NIDHASH;
        private RegistrationTunables registration = RegistrationTunables.defaults();
        private int cpuPartitions = 1;
        private int nscheds = 1;
        private int ntx = 512;
        private boolean failover;
        private long memory = 64L << 20;

        private Builder() {}

        /**
         * {@return this builder, with the given service port}
         *
         * @param port 1 to 65535
         */
        public Builder service(int port) {
            service = port;
            return this;
        }

        /**
         * {@return this builder, with the given queue depth}
         *
         * @param count 8 to 255
         */
        public Builder peerCredits(int count) {
            peerCredits = count;
            return this;
        }

        /**
         * {@return this builder; if a connection owes its peer {@code count} credits, the connection sends a NOOP}
         *
         * @param count the number of credits owed to the peer at which a NOOP is sent; 0 for half of the queue depth
         */
        public Builder peerCreditsHiw(int count) {
            peerCreditsHiw = count;
            return this;
        }

        /**
         * {@return this builder, with the given maximum number of posted SENDs}
         *
         * @param count the number of SENDs; 0 means the same number as {@code peerCredits}
         */
        public Builder concurrentSends(int count) {
            concurrentSends = count;
            return this;
        }

        /**
         * {@return this builder, with the given number of connections to one peer}
         *
         * @param count 1 to 127
         */
        public Builder connsPerPeer(int count) {
            connsPerPeer = count;
            return this;
        }

        /**
         * {@return this builder, with the given maximum number of scatter/gather entries per RDMA WRITE}
         *
         * @param count 1 or more
         */
        public Builder wrqSge(int count) {
            wrqSge = count;
            return this;
        }

        /**
         * {@return this builder, with the given retry counts}
         *
         * @param transport the number of retransmissions of a packet, 0 to 7
         * @param receiverNotReady the number of retries after RNR NAKs, 0 to 7; 7 means no limit
         */
        public Builder retries(int transport, int receiverNotReady) {
            retryCount = transport;
            rnrRetryCount = receiverNotReady;
            return this;
        }

        /**
         * {@return this builder, with the given timeout of messages}
         *
         * @param time more than zero
         */
        public Builder timeout(Duration time) {
            timeout = time;
            return this;
        }

        /**
         * {@return this builder, with the given idle time before a NOOP}
         *
         * @param time zero for never
         */
        public Builder keepalive(Duration time) {
            keepalive = time;
            return this;
        }

        /**
         * {@return this builder, with the given rules for privileged ports (ports below 1024)}
         *
         * @param use whether this node connects from a port below 1024 if the system permits it
         * @param require whether this node rejects peers that connect from a port above 1023
         */
        public Builder privilegedPorts(boolean use, boolean require) {
            usePrivilegedPort = use;
            requirePrivilegedPort = require;
            return this;
        }

        /**
         * {@return this builder, with the given type of service of sent packets}
         *
         * @param value the type of service, 0 to 255, or -1 if it is not set
         */
        public Builder tos(int value) {
            tos = value;
            return this;
        }

        /**
         * {@return this builder, with the given checksum of sent messages}
         *
         * @param kind the type of checksum, or null for messages without checksum
         */
        public Builder checksum(@Nullable Checksum kind) {
            checksum = kind;
            return this;
        }

        /**
         * {@return this builder, with a tie-break for simultaneous connection requests of two nodes}
         *
         * @param rule the tie-break that decides which connection request succeeds; both nodes must use the same tie-break
         */
        public Builder tieBreak(TieBreak rule) {
            tieBreak = rule;
            return this;
        }

        /**
         * {@return this builder, with the given parameters of memory registration}
         *
         * @param parameters the parameters
         */
        public Builder registration(RegistrationTunables parameters) {
            registration = parameters;
            return this;
        }

        /**
         * {@return this builder, with the given number of CPU partitions}
         *
         * @param count the number of CPU partitions, 1 to 1024
         * @param tasks the maximum number of {@code SerialTask}s that handle the completions of one CPU partition at the
         *     same time, 1 to 64
         */
        public Builder partitions(int count, int tasks) {
            cpuPartitions = count;
            nscheds = tasks;
            return this;
        }

        /**
         * {@return this builder, with the given number of transmit descriptors}
         *
         * @param count 1 or more
         */
        public Builder ntx(int count) {
            ntx = count;
            return this;
        }

        /**
         * {@return this builder, with failover to another device enabled or disabled}
         *
         * @param on whether a node moves to another device if its device fails or is removed; the other device must have
         *     the node's IP address
         */
        public Builder failover(boolean on) {
            failover = on;
            return this;
        }

        /**
         * {@return this builder, with the given size of the LNet node's registered memory}
         *
         * @param bytes the size of the registered memory in bytes, 4 MiB or more
         */
        public Builder memory(long bytes) {
            memory = bytes;
            return this;
        }

        /**
         * {@return the tunables, with values clamped as in the kernel module}
         *
         * @throws IllegalArgumentException if a tunable is out of its range
         */
        public O2ibTunables build() {
            return new O2ibTunables(new Values(
                    service,
                    peerCredits,
                    peerCreditsHiw,
                    concurrentSends,
                    connsPerPeer,
                    wrqSge,
                    retryCount,
                    rnrRetryCount,
                    timeout,
                    keepalive,
                    usePrivilegedPort,
                    requirePrivilegedPort,
                    tos,
                    checksum,
                    tieBreak,
                    registration,
                    cpuPartitions,
                    nscheds,
                    ntx,
                    failover,
                    memory));
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof O2ibTunables same && values.equals(same.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return "O2ibTunables" + values.toString().substring("Values".length());
    }
}
