// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * The attributes of a new shared receive queue ({@code struct ibv_srq_init_attr}, {@code ibv_create_srq}(3)). Immutable.
 *
 * @param attributes the size and the SRQ limit; the provider arms the SRQ limit event after the creation, because
 *     ibv_create_srq does not arm it
 * @param context an object that the application attaches to the queue ({@code srq_context}), or null
 * @param eventHandler the handler of the queue's asynchronous events; if null, the device's asynchronous event channel gets
 *     them
 * @since 1.0
 */
public record SrqInitAttributes(
        SrqAttributes attributes,
        @Nullable Object context,
        @Nullable AsyncEventHandler eventHandler) {

    /** {@return the maximum number of posted receives, at least 1} */
    public int maxWr() {
        return attributes.maxWr();
    }

    /** {@return the maximum number of scatter entries of a receive, at least 0} */
    public int maxSge() {
        return attributes.maxSge();
    }

    /** {@return the SRQ limit that the provider arms after the creation of the SRQ; 0 means no limit} */
    public int limit() {
        return attributes.limit();
    }

    /** {@return a new builder with one scatter entry and no limit; the application must set the number of receives} */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * A builder of {@link SrqInitAttributes}. The setter and the getter of an attribute have the same name. Not
     * thread-safe.
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
         * @param value {@link SrqInitAttributes#maxWr()}
         */
        public Builder maxWr(int value) {
            this.maxWr = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link SrqInitAttributes#maxSge()}
         */
        public Builder maxSge(int value) {
            this.maxSge = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link SrqInitAttributes#limit()}
         */
        public Builder limit(int value) {
            this.limit = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link SrqInitAttributes#context()}
         */
        public Builder context(@Nullable Object value) {
            this.context = value;
            return this;
        }

        /**
         * {@return this builder}
         * @param value {@link SrqInitAttributes#eventHandler()}
         */
        public Builder eventHandler(@Nullable AsyncEventHandler value) {
            this.eventHandler = value;
            return this;
        }

        /**
         * {@return the attributes}
         *
         * @throws IllegalArgumentException if one of the attributes is out of range
         */
        public SrqInitAttributes build() {
            return new SrqInitAttributes(new SrqAttributes(maxWr, maxSge, limit), context, eventHandler);
        }
    }
}
