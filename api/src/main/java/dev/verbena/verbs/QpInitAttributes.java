// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * The attributes of a new queue pair ({@code struct ibv_qp_init_attr}, {@code ibv_create_qp}(3)). Immutable.
 *
 * @since 1.0
 */
public final class QpInitAttributes {
    private final QpType type;
    private final CompletionQueue sendCq;
    private final CompletionQueue receiveCq;
    private final @Nullable SharedReceiveQueue srq;
    private final QpCapabilities capabilities;
    private final boolean signalAll;
    private final @Nullable Object context;
    private final @Nullable AsyncEventHandler eventHandler;

    private QpInitAttributes(
            QpType type,
            CompletionQueue sendCq,
            CompletionQueue receiveCq,
            @Nullable SharedReceiveQueue srq,
            QpCapabilities capabilities,
            boolean signalAll,
            @Nullable Object context,
            @Nullable AsyncEventHandler eventHandler) {
        this.type = type;
        this.sendCq = sendCq;
        this.receiveCq = receiveCq;
        this.srq = srq;
        this.capabilities = capabilities;
        this.signalAll = signalAll;
        this.context = context;
        this.eventHandler = eventHandler;
    }

    /**
     * Creates the attributes of a reliable connected queue pair with one completion queue for send and receive requests.
     *
     * @param cq the completion queue of send and receive requests
     * @param capabilities the queue sizes
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

    /** {@return a new builder; the application must set the type, both completion queues and the queue sizes} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return a new builder with the values of this object} */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.type = type;
        builder.sendCq = sendCq;
        builder.receiveCq = receiveCq;
        builder.srq = srq;
        builder.capabilities = capabilities;
        builder.signalAll = signalAll;
        builder.context = context;
        builder.eventHandler = eventHandler;
        return builder;
    }

    /** {@return the transport service} */
    public QpType type() {
        return type;
    }

    /** {@return the completion queue of send requests} */
    public CompletionQueue sendCq() {
        return sendCq;
    }

    /** {@return the completion queue of receive requests; it may also be the completion queue of send requests} */
    public CompletionQueue receiveCq() {
        return receiveCq;
    }

    /** {@return the shared receive queue, or null if the queue pair has its own receive queue} */
    public @Nullable SharedReceiveQueue srq() {
        return srq;
    }

    /** {@return the queue sizes} */
    public QpCapabilities capabilities() {
        return capabilities;
    }

    /** {@return whether every send request produces a completion, as if each had {@link SendFlag#SIGNALED}} */
    public boolean signalAll() {
        return signalAll;
    }

    /** {@return an object that the application attaches to the queue pair, or null} */
    public @Nullable Object context() {
        return context;
    }

    /** {@return the handler of the queue pair's asynchronous events; null if the device's channel receives them} */
    public @Nullable AsyncEventHandler eventHandler() {
        return eventHandler;
    }

    private Components components() {
        return new Components()
                .with("type", type)
                .with("sendCq", sendCq)
                .with("receiveCq", receiveCq)
                .with("srq", srq)
                .with("capabilities", capabilities)
                .with("signalAll", signalAll)
                .with("context", context)
                .with("eventHandler", eventHandler);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof QpInitAttributes attributes && components().equals(attributes.components());
    }

    @Override
    public int hashCode() {
        return components().hashCode();
    }

    @Override
    public String toString() {
        return "QpInitAttributes" + components();
    }

    /**
     * A builder of {@link QpInitAttributes}. The setter and the getter of an attribute have the same name. Not thread-safe.
     *
     * @since 1.0
     */
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
         * @param value {@link QpInitAttributes#type()}
         */
        public Builder type(QpType value) {
            this.type = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link QpInitAttributes#sendCq()}
         */
        public Builder sendCq(CompletionQueue value) {
            this.sendCq = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link QpInitAttributes#receiveCq()}
         */
        public Builder receiveCq(CompletionQueue value) {
            this.receiveCq = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link QpInitAttributes#srq()}
         */
        public Builder srq(@Nullable SharedReceiveQueue value) {
            this.srq = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link QpInitAttributes#capabilities()}
         */
        public Builder capabilities(QpCapabilities value) {
            this.capabilities = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link QpInitAttributes#signalAll()}
         */
        public Builder signalAll(boolean value) {
            this.signalAll = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link QpInitAttributes#context()}
         */
        public Builder context(@Nullable Object value) {
            this.context = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link QpInitAttributes#eventHandler()}
         */
        public Builder eventHandler(@Nullable AsyncEventHandler value) {
            this.eventHandler = value;
            return this;
        }

        /**
         * {@return the attributes}
         *
         * @throws IllegalStateException if an attribute that the application must set is missing
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
