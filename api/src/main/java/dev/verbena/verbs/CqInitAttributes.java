// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * The attributes of a new completion queue ({@code ibv_create_cq}(3)). Immutable.
 *
 * <p>Completions can always be polled. For announcements, set either a channel to wait on or a handler to be called,
 * not both. An overflow breaks the queue and all its queue pairs, so the capacity must cover every request of these
 * queue pairs.
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
        ValueChecks.inRange("capacity", capacity, 1, Integer.MAX_VALUE, "see DeviceAttributes.maxCqe for the most");
        ValueChecks.notNegative("completionVector", completionVector);
        if (channel != null && handler != null) {
            throw new IllegalArgumentException("channel and handler are both given, legal is one of them; "
                    + "notifications go to a channel to wait on or to a handler to be called");
        }
    }

    /**
     * The usual case: a queue to be polled, nothing else.
     *
     * @param capacity how many completions must fit, at least 1
     * @return the attributes
     */
    public static CqInitAttributes ofCapacity(int capacity) {
        return builder().capacity(capacity).build();
    }

    /**
     * Starts with vector 0 and nothing else; capacity is compulsory.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Starts from these attributes.
     *
     * @return a new builder
     */
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

    /** {@return completions it must hold, at least 1; the device may grant more} */
    public int capacity() {
        return capacity;
    }

    /** {@return 0 up to {@link DeviceAttributes#completionVectors()} - 1: which interrupt or worker serves it} */
    public int completionVector() {
        return completionVector;
    }

    /** {@return where notifications go, or null} */
    public @Nullable CompletionChannel channel() {
        return channel;
    }

    /** {@return called with notifications, or null} */
    public @Nullable CompletionHandler handler() {
        return handler;
    }

    /** {@return anything that the owner wants to find again, or null} */
    public @Nullable Object context() {
        return context;
    }

    /** {@return told of the queue's asynchronous events, null to leave them to the device's channel} */
    public @Nullable AsyncEventHandler eventHandler() {
        return eventHandler;
    }

    /** {@return whether its completions carry {@link WorkCompletion#timestamp()}; needs {@link Capability#COMPLETION_TIMESTAMP}} */
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
     * Collects the attributes, each documented at the accessor of its name; not thread-safe.
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
         *
         * @param value {@link CqInitAttributes#capacity()}
         */
        public Builder capacity(int value) {
            this.capacity = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link CqInitAttributes#completionVector()}
         */
        public Builder completionVector(int value) {
            this.completionVector = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link CqInitAttributes#channel()}
         */
        public Builder channel(@Nullable CompletionChannel value) {
            this.channel = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link CqInitAttributes#handler()}
         */
        public Builder handler(@Nullable CompletionHandler value) {
            this.handler = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link CqInitAttributes#context()}
         */
        public Builder context(@Nullable Object value) {
            this.context = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link CqInitAttributes#eventHandler()}
         */
        public Builder eventHandler(@Nullable AsyncEventHandler value) {
            this.eventHandler = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link CqInitAttributes#timestamps()}
         */
        public Builder timestamps(boolean value) {
            this.timestamps = value;
            return this;
        }

        /**
         * Makes the attributes.
         *
         * @return the attributes
         * @throws IllegalArgumentException if a number is out of range, or both channel and handler are given
         */
        public CqInitAttributes build() {
            return new CqInitAttributes(this);
        }
    }
}
