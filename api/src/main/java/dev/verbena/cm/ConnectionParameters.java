// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import dev.verbena.verbs.RnrRetryCount;

/**
 * The parameters on which two ends agree when they connect ({@code struct rdma_conn_param}). Immutable.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/rdma_connect.3.html">rdma_connect(3)</a>
 * @since 1.0
 */
public final class ConnectionParameters {
    /** Stands for the device's maximum of READs and atomics, as {@code RDMA_MAX_RESP_RES} does in C programs. */
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
     * Starts with librdmacm's defaults: the device's maximum of READs and atomics, 7 retries, unlimited RNR retries, no
     * private data.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the private data.
     *
     * @return a copy, perhaps empty
     */
    public byte[] privateData() {
        return privateData.clone();
    }

    /**
     * Returns how many READs and atomics of the peer this side serves at once.
     *
     * @return 0 to 254, or {@link #DEVICE_MAXIMUM}
     */
    public int responderResources() {
        return responderResources;
    }

    /**
     * Returns how many READs and atomics this side may have outstanding.
     *
     * @return 0 to 254, or {@link #DEVICE_MAXIMUM}
     */
    public int initiatorDepth() {
        return initiatorDepth;
    }

    /**
     * Returns whether end-to-end flow control is offered.
     *
     * @return the flag; carried to the peer, without effect on a software device
     */
    public boolean flowControl() {
        return flowControl;
    }

    /**
     * Returns how often a request without an acknowledgement is retransmitted.
     *
     * @return 0 to 7
     */
    public int retryCount() {
        return retryCount;
    }

    /**
     * Returns how often a request that found no receive is retransmitted.
     *
     * @return the count
     */
    public RnrRetryCount rnrRetryCount() {
        return rnrRetryCount;
    }

    /**
     * Returns whether an id without a queue pair receives from a shared queue.
     *
     * @return the flag
     */
    public boolean srq() {
        return srq;
    }

    /**
     * Returns the queue pair of an id that has none of its own.
     *
     * @return 24 bits, 0 if unused
     */
    public int qpNumber() {
        return qpNumber;
    }

    /**
     * Returns the Q_Key of a UD id.
     *
     * @return 0 for the default of rdma_cm
     */
    public int qkey() {
        return qkey;
    }

    /**
     * Collects parameters. Not thread-safe.
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
         * Sets the private data.
         *
         * @param value copied
         * @return this
         */
        public Builder privateData(byte[] value) {
            privateData = value.clone();
            return this;
        }

        /**
         * Sets how many READs and atomics of the peer this side serves at once.
         *
         * @param value 0 to 255
         * @return this
         */
        public Builder responderResources(int value) {
            responderResources = inRange("responderResources", value, 255);
            return this;
        }

        /**
         * Sets how many READs and atomics this side may have outstanding.
         *
         * @param value 0 to 255
         * @return this
         */
        public Builder initiatorDepth(int value) {
            initiatorDepth = inRange("initiatorDepth", value, 255);
            return this;
        }

        /**
         * Sets whether end-to-end flow control is offered.
         *
         * @param value the flag
         * @return this
         */
        public Builder flowControl(boolean value) {
            flowControl = value;
            return this;
        }

        /**
         * Sets how often a request without an acknowledgement is retransmitted.
         *
         * @param value 0 to 7
         * @return this
         */
        public Builder retryCount(int value) {
            retryCount = inRange("retryCount", value, 7);
            return this;
        }

        /**
         * Sets how often a request that found no receive is retransmitted.
         *
         * @param value the count
         * @return this
         */
        public Builder rnrRetryCount(RnrRetryCount value) {
            rnrRetryCount = value;
            return this;
        }

        /**
         * Sets whether an id without a queue pair receives from a shared queue.
         *
         * @param value the flag
         * @return this
         */
        public Builder srq(boolean value) {
            srq = value;
            return this;
        }

        /**
         * Sets the queue pair of an id that has none of its own.
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

        /**
         * Makes the parameters.
         *
         * @return immutable parameters
         */
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
