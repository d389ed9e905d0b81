package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * What a queue pair is created with ({@code struct ibv_qp_init_attr}, {@code ibv_create_qp}(3)). Immutable.
 *
 * @param type the transport service
 * @param sendCq where send requests complete
 * @param receiveCq where receives complete; may be the same
 * @param srq where receives are taken from, null for a receive queue of its own
 * @param capabilities sizes of the queues
 * @param signalAll whether every send request completes visibly, as if all had {@link SendFlag#SIGNALED}
 * @param context anything that the owner wants to find again, or null
 * @param eventHandler told of the queue pair's asynchronous events, null to leave them to the device's channel
 */
public record QpInitAttributes(
        QpType type,
        CompletionQueue sendCq,
        CompletionQueue receiveCq,
        @Nullable SharedReceiveQueue srq,
        QpCapabilities capabilities,
        boolean signalAll,
        @Nullable Object context,
        @Nullable AsyncEventHandler eventHandler) {

    /**
     * The usual case: reliable connected, one completion queue for both, nothing else.
     *
     * @param cq where sends and receives complete
     * @param capabilities sizes of the queues
     * @return the attributes
     */
    public static QpInitAttributes rc(CompletionQueue cq, QpCapabilities capabilities) {
        return builder()
                .type(QpType.RC)
                .sendCq(cq)
                .receiveCq(cq)
                .capabilities(capabilities)
                .build();
    }

    /**
     * Starts with nothing; type, both completion queues and capabilities are compulsory.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects the attributes, each documented at the record component of its name; not thread-safe. */
    public static final class Builder {
        private @Nullable QpType type;
        private @Nullable CompletionQueue sendCq;
        private @Nullable CompletionQueue receiveCq;
        private @Nullable SharedReceiveQueue srq;
        private @Nullable QpCapabilities capabilities;
        private boolean signalAll;
        private @Nullable Object context;
        private @Nullable AsyncEventHandler eventHandler;

        private Builder() {}

        /**
         * {@return this builder}
         *
         * @param value {@link QpInitAttributes#type()}
         */
        public Builder type(QpType value) {
            this.type = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link QpInitAttributes#sendCq()}
         */
        public Builder sendCq(CompletionQueue value) {
            this.sendCq = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link QpInitAttributes#receiveCq()}
         */
        public Builder receiveCq(CompletionQueue value) {
            this.receiveCq = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link QpInitAttributes#srq()}
         */
        public Builder srq(@Nullable SharedReceiveQueue value) {
            this.srq = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link QpInitAttributes#capabilities()}
         */
        public Builder capabilities(QpCapabilities value) {
            this.capabilities = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link QpInitAttributes#signalAll()}
         */
        public Builder signalAll(boolean value) {
            this.signalAll = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link QpInitAttributes#context()}
         */
        public Builder context(@Nullable Object value) {
            this.context = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link QpInitAttributes#eventHandler()}
         */
        public Builder eventHandler(@Nullable AsyncEventHandler value) {
            this.eventHandler = value;
            return this;
        }

        /**
         * Makes the attributes.
         *
         * @return the attributes
         * @throws IllegalStateException if a compulsory one is missing
         */
        public QpInitAttributes build() {
            return new QpInitAttributes(
                    ValueChecks.required("QpInitAttributes", "type", type),
                    ValueChecks.required("QpInitAttributes", "sendCq", sendCq),
                    ValueChecks.required("QpInitAttributes", "receiveCq", receiveCq),
                    srq,
                    ValueChecks.required("QpInitAttributes", "capabilities", capabilities),
                    signalAll,
                    context,
                    eventHandler);
        }
    }
}
