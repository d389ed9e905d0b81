// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import dev.verbena.lnet.Lnd;
import dev.verbena.lnet.ProcessId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The parameters of a test in which one node tests another node. */
public final class SelftestPlan {
    private static final int MAX_CONCURRENCY = 1024;

    private final Values values;

    record Values(
            ProcessId target,
            Kind kind,
            int size,
            DataCheck check,
            int concurrency,
            @Nullable Integer loop,
            @Nullable Duration duration,
            boolean force,
            boolean stopOnError) {
        Values {
            if (kind != Kind.PING && (size < Long.BYTES || size > Lnd.MAX_PAYLOAD || size % Long.BYTES != 0)) {
                throw new IllegalArgumentException("size " + size
                        + " is not a multiple of 8 in 8..1048576; lnet_selftest fills and checks whole words");
            }
            if (concurrency < 1 || concurrency > MAX_CONCURRENCY) {
                throw new IllegalArgumentException("concurrency " + concurrency + " is not in 1.." + MAX_CONCURRENCY);
            }
            if (loop != null && loop < 1 || loop == null && duration == null) {
                throw new IllegalArgumentException(
                        "a test needs an end: a loop of 1 or more requests, or a duration; loop is " + loop);
            }
        }
    }

    private SelftestPlan(Values values) {
        this.values = values;
    }

    /** {@return the process id of the tested node} */
    public ProcessId target() {
        return values.target;
    }

    /** {@return the type of the test} */
    public Kind kind() {
        return values.kind;
    }

    /** {@return the length of one transfer in bytes, a multiple of 8 up to 1 MiB; 0 for pings} */
    public int size() {
        return values.size;
    }

    /** {@return which words of the data the test checks} */
    public DataCheck check() {
        return values.check;
    }

    /** {@return the number of concurrent requesters, each with one request in flight; 1 or more} */
    public int concurrency() {
        return values.concurrency;
    }

    /** {@return the number of requests that each concurrent requester sends, or null for no limit} */
    public @Nullable Integer loop() {
        return values.loop;
    }

    /** {@return the time after which the test starts no further request, or null for no limit} */
    public @Nullable Duration duration() {
        return values.duration;
    }

    /** {@return whether the test ends the session of another console on the tested node} */
    public boolean force() {
        return values.force;
    }

    /** {@return whether the first error stops the test} */
    public boolean stopOnError() {
        return values.stopOnError;
    }

    /** The type of a test. */
    public enum Kind {
        /** The tested node responds to small requests with small replies. */
        PING,
        /** The tested node PUTs data to the testing node. */
        READ,
        /** The tested node GETs data from the testing node. */
        WRITE;

        SelftestService service() {
            return this == PING ? SelftestService.PING : SelftestService.BRW;
        }

        int opcode() {
            return this == READ ? SelftestRequest.Brw.READ : SelftestRequest.Brw.WRITE;
        }
    }

    /**
     * {@return a builder of an LNet selftest that has one request in flight, checks all transferred data, and stops at the
     * first error}
     *
     * @param target the process id of the tested node
     * @param kind the type of the test
     */
    public static Builder builder(ProcessId target, Kind kind) {
        return new Builder(target, kind);
    }

    /** Builds a plan. Each method sets the attribute with the name of the method. Not thread-safe. */
    public static final class Builder {
        private final ProcessId target;
        private final Kind kind;
        private int size;
        private DataCheck check = DataCheck.FULL;
        private int concurrency = 1;
        private @Nullable Integer loop;
        private @Nullable Duration duration;
        private boolean force;
        private boolean stopOnError = true;

        private Builder(ProcessId target, Kind kind) {
            this.target = target;
            this.kind = kind;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link SelftestPlan#size()}
         */
        public Builder size(int value) {
            size = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link SelftestPlan#check()}
         */
        public Builder check(DataCheck value) {
            check = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link SelftestPlan#concurrency()}
         */
        public Builder concurrency(int value) {
            concurrency = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link SelftestPlan#loop()}
         */
        public Builder loop(@Nullable Integer value) {
            loop = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link SelftestPlan#duration()}
         */
        public Builder duration(@Nullable Duration value) {
            duration = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link SelftestPlan#force()}
         */
        public Builder force(boolean value) {
            force = value;
            return this;
        }

        /**
         * {@return this builder}
         *
         * @param value {@link SelftestPlan#stopOnError()}
         */
        public Builder stopOnError(boolean value) {
            stopOnError = value;
            return this;
        }

        /**
         * {@return the plan}
         *
         * @throws IllegalArgumentException if a value set in this builder is out of its range, or if neither
         *     {@link #loop} nor {@link #duration} is set
         */
        public SelftestPlan build() {
            return new SelftestPlan(
                    new Values(target, kind, size, check, concurrency, loop, duration, force, stopOnError));
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SelftestPlan same && values.equals(same.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return "SelftestPlan" + values.toString().substring("Values".length());
    }
}
