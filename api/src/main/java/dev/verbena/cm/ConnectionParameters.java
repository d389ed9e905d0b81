// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import dev.verbena.verbs.RnrRetryCount;

/**
 * The parameters that two peers exchange when they connect ({@code struct rdma_conn_param}). Immutable.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/rdma_connect.3.html">rdma_connect(3)</a>
 * @since 1.0
 */
public final class ConnectionParameters {
    /** Selects the largest number of READs and atomics that the device supports ({@code RDMA_MAX_RESP_RES} in C). */
    public static final int DEVICE_MAXIMUM = 0xFF;

    private final byte[] privateData;
    private final int responderResources;
    private final int initiatorDepth;
    private final boolean flowControl;
    private final int retryCount;
    private final RnrRetryCount rnrRetryCount;
    private final boolean srq;
    private final int qpNumber;
    private final int qkey;

    private ConnectionParameters(Builder from) {
        privateData = from.privateData.clone();
        responderResources = from.responderResources;
        initiatorDepth = from.initiatorDepth;
        flowControl = from.flowControl;
        retryCount = from.retryCount;
        rnrRetryCount = from.rnrRetryCount;
        srq = from.srq;
        qpNumber = from.qpNumber;
        qkey = from.qkey;
    }

    /**
     * Creates a builder with librdmacm's defaults: the device's maximum of READs and atomics, 7 retries, unlimited RNR retries,
     * no private data.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return a copy of the private data, which may be empty} */
    public byte[] privateData() {
        return privateData.clone();
    }

    /**
     * {@return the maximum number of outstanding READs and atomics that the local queue pair accepts from the peer: 0 to
     * 254, or {@link #DEVICE_MAXIMUM}}
     */
    public int responderResources() {
        return responderResources;
    }

    /**
     * {@return the maximum number of outstanding READs and atomics of the local queue pair: 0 to 254, or {@link #DEVICE_MAXIMUM}}
     */
    public int initiatorDepth() {
        return initiatorDepth;
    }

    /**
     * {@return whether the queue pair offers end-to-end flow control; the id sends this flag to the peer, but software
     * devices ignore the flag}
     */
    public boolean flowControl() {
        return flowControl;
    }

    /** {@return the maximum number of retransmissions of an unacknowledged request packet, 0 to 7} */
    public int retryCount() {
        return retryCount;
    }

    /** {@return the maximum number of retransmissions of a request packet while the peer has no receive request posted} */
    public RnrRetryCount rnrRetryCount() {
        return rnrRetryCount;
    }

    /**
     * {@return whether the queue pair uses a shared receive queue; the value has no effect if {@link ConnectionId#createQp}
     * created the queue pair}
     */
    public boolean srq() {
        return srq;
    }

    /**
     * {@return the 24-bit QPN of a queue pair that the application created without {@link ConnectionId#createQp}; 0 if the
     * id created its queue pair}
     */
    public int qpNumber() {
        return qpNumber;
    }

    /** {@return the Q_Key of a UD id; 0 means the default Q_Key of rdma_cm} */
    public int qkey() {
        return qkey;
    }

    /**
     * A builder of connection parameters. Not thread-safe.
     *
     * @since 1.0
     */
    public static final class Builder {
        private byte[] privateData = new byte[0];
        private int responderResources = DEVICE_MAXIMUM;
        private int initiatorDepth = DEVICE_MAXIMUM;
        private boolean flowControl;
        private int retryCount = 7;
        private RnrRetryCount rnrRetryCount = RnrRetryCount.FOREVER;
        private boolean srq;
        private int qpNumber;
        private int qkey;

        private Builder() {}

        /**
         * Sets the private data for the peer.
         *
         * @param value the private data, which the method copies
         * @return this
         */
        public Builder privateData(byte[] value) {
            privateData = value.clone();
            return this;
        }

        /**
         * Sets the maximum number of outstanding READs and atomics that the local queue pair accepts from the peer.
         *
         * @param value 0 to 255
         * @return this
         */
        public Builder responderResources(int value) {
            responderResources = inRange("responderResources", value, 255);
            return this;
        }

        /**
         * Sets the maximum number of outstanding READs and atomics of the local queue pair.
         *
         * @param value 0 to 255
         * @return this
         */
        public Builder initiatorDepth(int value) {
            initiatorDepth = inRange("initiatorDepth", value, 255);
            return this;
        }

        /**
         * Sets whether the queue pair offers end-to-end flow control.
         *
         * @param value the flag
         * @return this
         */
        public Builder flowControl(boolean value) {
            flowControl = value;
            return this;
        }

        /**
         * Sets the maximum number of retransmissions of an unacknowledged request packet.
         *
         * @param value 0 to 7
         * @return this
         */
        public Builder retryCount(int value) {
            retryCount = inRange("retryCount", value, 7);
            return this;
        }

        /**
         * Sets the maximum number of retransmissions of a request packet while the peer has no receive request posted.
         *
         * @param value the count
         * @return this
         */
        public Builder rnrRetryCount(RnrRetryCount value) {
            rnrRetryCount = value;
            return this;
        }

        /**
         * Sets whether the queue pair uses a shared receive queue. This setting is ignored if
         * {@link ConnectionId#createQp} created the queue pair.
         *
         * @param value the flag
         * @return this
         */
        public Builder srq(boolean value) {
            srq = value;
            return this;
        }

        /**
         * Sets the QPN of a queue pair that the application created without {@link ConnectionId#createQp}.
         *
         * @param value 24 bits
         * @return this
         */
        public Builder qpNumber(int value) {
            qpNumber = inRange("qpNumber", value, 0xFFFFFF);
            return this;
        }

        /**
         * Sets the Q_Key of a UD id.
         *
         * @param value 32 bits
         * @return this
         */
        public Builder qkey(int value) {
            qkey = value;
            return this;
        }

        /** {@return new immutable parameters} */
        public ConnectionParameters build() {
            return new ConnectionParameters(this);
        }

        private static int inRange(String name, int value, int max) {
            if (value < 0 || value > max) {
                throw new IllegalArgumentException(name + " is " + value + "; it must be 0 to " + max);
            }
            return value;
        }
    }
}
