// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * The attributes of a new completion queue ({@code ibv_create_cq}(3)). Immutable.
 *
 * <p>An application can always poll completions. To get completion events, the application sets either a completion channel
 * or a completion handler. An overflow moves the completion queue and all queue pairs that use it to the error state. To
 * prevent an overflow, the capacity must be at least the number of requests that all queue pairs of the completion queue
 * can have outstanding. A completed request is outstanding until the application polls the completion.
 *
 * @since 1.0
 */
public final class CqInitAttributes {
    private final int capacity;
    private final int completionVector;
    private final @Nullable CompletionChannel channel;
    private final @Nullable CompletionHandler handler;
    private final @Nullable Object context;
    private final @Nullable AsyncEventHandler eventHandler;
    private final boolean timestamps;

    private CqInitAttributes(Builder builder) {
        capacity = builder.capacity;
        completionVector = builder.completionVector;
        channel = builder.channel;
        handler = builder.handler;
        context = builder.context;
        eventHandler = builder.eventHandler;
        timestamps = builder.timestamps;
        ValueChecks.inRange("capacity", capacity, 1, Integer.MAX_VALUE, "DeviceAttributes.maxCqe is the maximum");
        ValueChecks.notNegative("completionVector", completionVector);
        if (channel != null && handler != null) {
            throw new IllegalArgumentException("channel and handler are both set; set only one: "
                    + "the channel to wait on, or the handler to call");
        }
    }

    /**
     * Creates the attributes of a completion queue that the application only polls.
     *
     * @param capacity the minimum capacity in completions, at least 1
     * @return the attributes
     */
    public static CqInitAttributes ofCapacity(int capacity) {
        return builder().capacity(capacity).build();
    }

    /** {@return a new builder with completion vector 0; the application must set the capacity} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return a new builder with the values of this object} */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.capacity = capacity;
        builder.completionVector = completionVector;
        builder.channel = channel;
        builder.handler = handler;
        builder.context = context;
        builder.eventHandler = eventHandler;
        builder.timestamps = timestamps;
        return builder;
    }

    /** {@return the minimum capacity in completions, at least 1; the device may allocate a larger queue} */
    public int capacity() {
        return capacity;
    }

    /**
     * {@return the completion vector, which is the index of the interrupt or worker for the queue's events: 0 to
     * {@link DeviceAttributes#completionVectors()} - 1}
     */
    public int completionVector() {
        return completionVector;
    }

    /** {@return the channel that receives the completion events, or null} */
    public @Nullable CompletionChannel channel() {
        return channel;
    }

    /** {@return the handler that receives the completion events, or null} */
    public @Nullable CompletionHandler handler() {
        return handler;
    }

    /** {@return an object that the application attaches to the queue, or null} */
    public @Nullable Object context() {
        return context;
    }

    /** {@return the handler of the queue's asynchronous events; null if the device's channel receives these events} */
    public @Nullable AsyncEventHandler eventHandler() {
        return eventHandler;
    }

    /** {@return whether completions have a {@link WorkCompletion#timestamp()}; needs {@link Capability#COMPLETION_TIMESTAMP}} */
    public boolean timestamps() {
        return timestamps;
    }

    private Components components() {
        return new Components()
                .with("capacity", capacity)
                .with("completionVector", completionVector)
                .with("channel", channel)
                .with("handler", handler)
                .with("context", context)
                .with("eventHandler", eventHandler)
                .with("timestamps", timestamps);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CqInitAttributes attributes && components().equals(attributes.components());
    }

    @Override
    public int hashCode() {
        return components().hashCode();
    }

    @Override
    public String toString() {
        return "CqInitAttributes" + components();
    }

    /**
     * A builder of the attributes of a new completion queue. The method that sets an attribute and the method that returns
     * the attribute have the same name. Not thread-safe.
     *
     * @since 1.0
     */
    public static final class Builder {
        private int capacity;
        private int completionVector;
        private @Nullable CompletionChannel channel;
        private @Nullable CompletionHandler handler;
        private @Nullable Object context;
        private @Nullable AsyncEventHandler eventHandler;
        private boolean timestamps;

        private Builder() {}

        /**
         * {@return this builder}
         * @param value {@link CqInitAttributes#capacity()}
         */
        public Builder capacity(int value) {
            this.capacity = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link CqInitAttributes#completionVector()}
         */
        public Builder completionVector(int value) {
            this.completionVector = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link CqInitAttributes#channel()}
         */
        public Builder channel(@Nullable CompletionChannel value) {
            this.channel = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link CqInitAttributes#handler()}
         */
        public Builder handler(@Nullable CompletionHandler value) {
            this.handler = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link CqInitAttributes#context()}
         */
        public Builder context(@Nullable Object value) {
            this.context = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link CqInitAttributes#eventHandler()}
         */
        public Builder eventHandler(@Nullable AsyncEventHandler value) {
            this.eventHandler = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link CqInitAttributes#timestamps()}
         */
        public Builder timestamps(boolean value) {
            this.timestamps = value;
            return this;
        }

        /**
         * {@return the attributes}
         *
         * @throws IllegalArgumentException if the capacity or the completion vector is out of range, or if both a channel and a
         *     handler are set
         */
        public CqInitAttributes build() {
            return new CqInitAttributes(this);
        }
    }
}
