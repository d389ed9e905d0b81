// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.memory.NodeMemory;
import dev.verbena.lnd.wire.Checksum;
import dev.verbena.lnd.wire.Protocol;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a node's o2iblnd, with the names and defaults of the kernel module's. Immutable.
 */
public final class O2ibTunables {
    private static final int MIN_PEER_CREDITS = 8;
    private static final long MIN_MEMORY = 4L << 20;
    private static final long MAX_MEMORY = Integer.MAX_VALUE * NodeMemory.PAGE;

    private final Values values;

    /** The attributes, of which a later release may have more. */
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

    /** {@return port to listen on and to connect to; equal on all nodes; default 987} */
    public int service() {
        return values.service;
    }

    /** {@return messages in flight to one peer and the queue depth offered; 8 to 255, default 8} */
    public int peerCredits() {
        return values.peerCredits;
    }

    /** {@return owed credits that are returned by themselves; half of {@code peerCredits} to one less; default half} */
    public int peerCreditsHiw() {
        return values.peerCreditsHiw;
    }

    /** {@return SENDs posted and not completed on one connection; half to twice {@code peerCredits}; default equal} */
    public int concurrentSends() {
        return values.concurrentSends;
    }

    /** {@return connections the active side opens to one peer; 1 to 127, default 1} */
    public int connsPerPeer() {
        return values.connsPerPeer;
    }

    /** {@return scatter-gather entries of one RDMA write; 1 or more, default 2} */
    public int wrqSge() {
        return values.wrqSge;
    }

    /** {@return retransmissions of a packet before the connection fails; 0 to 7, default 5} */
    public int retryCount() {
        return values.retryCount;
    }

    /** {@return retries after "receiver not ready"; 0 to 7, where 7 stands for no end, default 6} */
    public int rnrRetryCount() {
        return values.rnrRetryCount;
    }

    /** {@return how long a message may take before its connection is closed; default 50 s} */
    public Duration timeout() {
        return values.timeout;
    }

    /** {@return idle time after which a NOOP is sent; zero for never; default 100 s} */
    public Duration keepalive() {
        return values.keepalive;
    }

    /** {@return connect from a port below 1024, where the system lets us; default true} */
    public boolean usePrivilegedPort() {
        return values.usePrivilegedPort;
    }

    /** {@return refuse peers that connect from other ports; default false} */
    public boolean requirePrivilegedPort() {
        return values.requirePrivilegedPort;
    }

    /** {@return type of service of the packets, 0 to 255, or -1, the default, to leave it alone} */
    public int tos() {
        return values.tos;
    }

    /** {@return how to sum what is sent, or null to send no checksums, the default; what comes in is always checked} */
    public @Nullable Checksum checksum() {
        return values.checksum;
    }

    /** {@return which of two simultaneous connects wins} */
    public TieBreak tieBreak() {
        return values.tieBreak;
    }

    /** {@return how memory is made known to the device and to peers} */
    public RegistrationTunables registration() {
        return values.registration;
    }

    /**
     * {@return CPU partitions, each with descriptors, registrations and a scheduler of its own for some of the peers; 1 to 1024, default 1; Lustre's {@code cpu_npartitions}}
     */
    public int cpuPartitions() {
        return values.cpuPartitions;
    }

    /**
     * {@return serial tasks that handle the completions of one partition; 1 to 64, default 1, as they take turns under the
     * partition's lock anyway}
     */
    public int nscheds() {
        return values.nscheds;
    }

    /**
     * {@return transmit descriptors, of all partitions together, before more pools are made; 1 or more, default 512; a pool
     * has 256 at least}
     */
    public int ntx() {
        return values.ntx;
    }

    /**
     * {@return whether the node moves to another device that has its address when its own device fails or is removed; default false; the kernel module's {@code dev_failover}}
     */
    public boolean failover() {
        return values.failover;
    }

    /**
     * {@return bytes of registered memory for message buffers, bounce buffers and {@link LnetNode#allocate}; default 64 MiB}
     */
    public long memory() {
        return values.memory;
    }

    private static void require(String name, long value, long lowest, long highest) {
        if (value < lowest || value > highest) {
            throw new IllegalArgumentException(name + " " + value + " is not in " + lowest + ".." + highest);
        }
    }

    /**
     * LNet's messages for one peer that have a transmit descriptor and memory of the node at a time; later ones wait without.
     *
     * @return peer_credits for each connection; LNet's peer credits
     */
    public int peerShare() {
        return values.peerCredits * values.connsPerPeer;
    }

    /** {@return the values of a Lustre node without module options} */
    public static O2ibTunables defaults() {
        return builder().build();
    }

    /** {@return a builder with the defaults} */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects {@link O2ibTunables}; every method sets the parameter of its name and returns the builder. */
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
         * Sets the port.
         *
         * @param port 1 to 65535
         * @return this
         */
        public Builder service(int port) {
            service = port;
            return this;
        }

        /**
         * Sets the queue depth.
         *
         * @param count 8 to 255
         * @return this
         */
        public Builder peerCredits(int count) {
            peerCredits = count;
            return this;
        }

        /**
         * Sets the mark for returning credits.
         *
         * @param count 0 for half of the depth
         * @return this
         */
        public Builder peerCreditsHiw(int count) {
            peerCreditsHiw = count;
            return this;
        }

        /**
         * Sets the limit of SENDs posted.
         *
         * @param count 0 for as many as peer credits
         * @return this
         */
        public Builder concurrentSends(int count) {
            concurrentSends = count;
            return this;
        }

        /**
         * Sets the connections to one peer.
         *
         * @param count 1 to 127
         * @return this
         */
        public Builder connsPerPeer(int count) {
            connsPerPeer = count;
            return this;
        }

        /**
         * Sets the entries of one RDMA write.
         *
         * @param count 1 or more
         * @return this
         */
        public Builder wrqSge(int count) {
            wrqSge = count;
            return this;
        }

        /**
         * Sets both retry counts.
         *
         * @param transport retransmissions, 0 to 7
         * @param receiverNotReady retries, 0 to 7; 7 means without a limit
         * @return this
         */
        public Builder retries(int transport, int receiverNotReady) {
            retryCount = transport;
            rnrRetryCount = receiverNotReady;
            return this;
        }

        /**
         * Sets how long a message may take.
         *
         * @param time more than zero
         * @return this
         */
        public Builder timeout(Duration time) {
            timeout = time;
            return this;
        }

        /**
         * Sets the idle time before a NOOP.
         *
         * @param time zero for never
         * @return this
         */
        public Builder keepalive(Duration time) {
            keepalive = time;
            return this;
        }

        /**
         * Sets the rules for ports below 1024, which only privileged programs may use.
         *
         * @param use connect from one, where the system lets us
         * @param require refuse peers that do not
         * @return this
         */
        public Builder privilegedPorts(boolean use, boolean require) {
            usePrivilegedPort = use;
            requirePrivilegedPort = require;
            return this;
        }

        /**
         * Sets the type of service of the packets.
         *
         * @param value 0 to 255, or -1 to leave it alone
         * @return this
         */
        public Builder tos(int value) {
            tos = value;
            return this;
        }

        /**
         * Sets the checksum of sent messages.
         *
         * @param kind the sum, or null for none
         * @return this
         */
        public Builder checksum(@Nullable Checksum kind) {
            checksum = kind;
            return this;
        }

        /**
         * Sets which of two simultaneous connects wins.
         *
         * @param rule the rule, the same on both nodes
         * @return this
         */
        public Builder tieBreak(TieBreak rule) {
            tieBreak = rule;
            return this;
        }

        /**
         * Sets how memory is made known.
         *
         * @param parameters the parameters
         * @return this
         */
        public Builder registration(RegistrationTunables parameters) {
            registration = parameters;
            return this;
        }

        /**
         * Sets the number of partitions among which connections are distributed.
         *
         * @param count partitions, 1 to 1024
         * @param tasks serial tasks that handle the completions of one, 1 to 64
         * @return this
         */
        public Builder partitions(int count, int tasks) {
            cpuPartitions = count;
            nscheds = tasks;
            return this;
        }

        /**
         * Sets the transmit descriptors of a node.
         *
         * @param count 1 or more
         * @return this
         */
        public Builder ntx(int count) {
            ntx = count;
            return this;
        }

        /**
         * Sets the reaction to the loss of the device.
         *
         * @param on whether to move to another one with the same address
         * @return this
         */
        public Builder failover(boolean on) {
            failover = on;
            return this;
        }

        /**
         * Sets the registered memory.
         *
         * @param bytes 4 MiB or more
         * @return this
         */
        public Builder memory(long bytes) {
            memory = bytes;
            return this;
        }

        /**
         * Makes the tunables.
         *
         * @return clamped values
         * @throws IllegalArgumentException if a value makes no sense
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
