// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import org.jspecify.annotations.Nullable;

/** The counters of a selftest server since its start. */
public final class SelftestStatistics {

    private final Values values;

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

    /** {@return whether the server has a session with a console} */
    public boolean session() {
        return values.session;
    }

    /** {@return the number of requests received} */
    public long received() {
        return values.received;
    }

    /** {@return the number of answers sent} */
    public long sent() {
        return values.sent;
    }

    /** {@return the number of replies and data transfers that have failed} */
    public long failed() {
        return values.failed;
    }

    /** {@return the number of LNet selftest requests that were dropped as invalid or because of a wrong portal} */
    public long dropped() {
        return values.dropped;
    }

    /** {@return the number of LNet selftest sessions that ended by their timeout} */
    public long expired() {
        return values.expired;
    }

    /** {@return the number of bytes that the server fetched from clients in write tests} */
    public long gotBytes() {
        return values.gotBytes;
    }

    /** {@return the number of bytes that the server sent to clients in read tests} */
    public long putBytes() {
        return values.putBytes;
    }

    /** {@return the number of transfers whose data differed from the test pattern} */
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
