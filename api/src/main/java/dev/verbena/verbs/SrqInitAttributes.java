// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * The attributes of a new shared receive queue ({@code struct ibv_srq_init_attr}, {@code ibv_create_srq}(3)).
 * Immutable.
 *
 * @param attributes size and limit; a provider arms the limit right after the creation, since libibverbs ignores it
 * @param context an object of the owner, or null
 * @param eventHandler receives the queue's asynchronous events; null leaves them to the device's channel
 * @since 1.0
 */
public record SrqInitAttributes(
        SrqAttributes attributes,
        @Nullable Object context,
        @Nullable AsyncEventHandler eventHandler) {

    /**
     * Receives that it must hold.
     *
     * @return at least 1
     */
    public int maxWr() {
        return attributes.maxWr();
    }

    /**
     * Scatter entries that a receive may have.
     *
     * @return at least 0
     */
    public int maxSge() {
        return attributes.maxSge();
    }

    /**
     * The limit to arm.
     *
     * @return 0 for none
     */
    public int limit() {
        return attributes.limit();
    }

    /**
     * Starts with one scatter entry, no limit and nothing else; the number of receives is compulsory.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Collects the attributes; not thread-safe.
     *
     * @since 1.0
     */
    public static final class Builder {
        private int maxWr;
        private int maxSge = 1;
        private int limit;
        private @Nullable Object context;
        private @Nullable AsyncEventHandler eventHandler;

        private Builder() {}

        /**
         * {@return this builder}
         *
         * @param value {@link SrqInitAttributes#maxWr()}
         */
        public Builder maxWr(int value) {
            this.maxWr = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link SrqInitAttributes#maxSge()}
         */
        public Builder maxSge(int value) {
            this.maxSge = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link SrqInitAttributes#limit()}
         */
        public Builder limit(int value) {
            this.limit = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link SrqInitAttributes#context()}
         */
        public Builder context(@Nullable Object value) {
            this.context = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link SrqInitAttributes#eventHandler()}
         */
        public Builder eventHandler(@Nullable AsyncEventHandler value) {
            this.eventHandler = value;
            return this;
        }

        /**
         * Makes the attributes.
         *
         * @return the attributes
         * @throws IllegalArgumentException if a number is out of range
         */
        public SrqInitAttributes build() {
            return new SrqInitAttributes(new SrqAttributes(maxWr, maxSge, limit), context, eventHandler);
        }
    }
}
