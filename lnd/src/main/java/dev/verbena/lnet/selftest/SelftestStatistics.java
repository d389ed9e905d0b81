// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import org.jspecify.annotations.Nullable;

/** The counters of a selftest server since its start. */
public final class SelftestStatistics {

    private final Values values;

    /** The attributes; a later release may add more. */
    record Values(
            boolean session,
            long received,
            long sent,
            long failed,
            long dropped,
            long expired,
            long gotBytes,
            long putBytes,
            long corrupt) {}

    SelftestStatistics(Values values) {
        this.values = values;
    }

    /** {@return whether a console has a session} */
    public boolean session() {
        return values.session;
    }

    /** {@return requests} */
    public long received() {
        return values.received;
    }

    /** {@return answers that left} */
    public long sent() {
        return values.sent;
    }

    /** {@return answers that did not, and data that did not move} */
    public long failed() {
        return values.failed;
    }

    /** {@return requests that could not be read, or were on the wrong portal} */
    public long dropped() {
        return values.dropped;
    }

    /** {@return sessions whose console fell silent} */
    public long expired() {
        return values.expired;
    }

    /** {@return data fetched from clients, by write tests} */
    public long gotBytes() {
        return values.gotBytes;
    }

    /** {@return data sent to clients, by read tests} */
    public long putBytes() {
        return values.putBytes;
    }

    /** {@return transfers whose data did not hold the pattern} */
    public long corrupt() {
        return values.corrupt;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SelftestStatistics same && values.equals(same.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return "SelftestStatistics" + values.toString().substring("Values".length());
    }
}
