// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import static org.junit.jupiter.api.Assertions.fail;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SrqAttributes;
import java.util.List;
import java.util.Optional;

/** The result of a step. */
public sealed interface Reply {
    /** The step is done and has no other result. */
    record Done() implements Reply {}

    /**
     * A device.
     *
     * @param facts its description
     */
    record Described(Facts facts) implements Reply {}

    /**
     * The provider threw.
     *
     * @param exception the simple name of its class
     * @param errno the number of a {@code VerbsException}
     * @param message its message
     */
    record Refusal(String exception, Optional<Errno> errno, String message) implements Reply {}

    /**
     * A number.
     *
     * @param value which
     */
    record Count(long value) implements Reply {}

    /**
     * Bytes of memory.
     *
     * @param value a copy
     */
    record Bytes(byte[] value) implements Reply {}

    /**
     * A region.
     *
     * @param address how peers name its first byte
     * @param length bytes
     * @param lkey the local key
     * @param rkey the remote key
     */
    record RegionFacts(long address, long length, int lkey, int rkey) implements Reply {}

    /**
     * A queue pair.
     *
     * @param number how peers name it
     * @param capabilities the granted values
     */
    record QpFacts(int number, QpCapabilities capabilities) implements Reply {}

    /**
     * State of a queue pair.
     *
     * @param state which
     */
    record State(QpState state) implements Reply {}

    /**
     * Answer of a query.
     *
     * @param attributes all that is set
     */
    record Attributes(QpAttributes attributes) implements Reply {}

    /**
     * State of a shared receive queue.
     *
     * @param attributes its size and limit
     */
    record SrqFacts(SrqAttributes attributes) implements Reply {}

    /**
     * The result of a post.
     *
     * @param taken how many were posted
     * @param refusedIndex the index of the refused request, or -1
     * @param refusal the reason
     */
    record Posted(int taken, int refusedIndex, PostRefusal refusal) implements Reply {
        /** Fails unless all requests were posted. */
        void assertAll(Record... requests) {
            if (taken < requests.length) {
                fail(requests[taken] + " was not taken: " + refusal);
            }
        }
    }

    /**
     * Completions.
     *
     * @param list in the order of polling
     */
    record Completions(List<Completion> list) implements Reply {}

    /**
     * Asynchronous events.
     *
     * @param list in the order of their coming
     */
    record Events(List<Event> list) implements Reply {}

    /**
     * Events of connection management.
     *
     * @param list in the order of their coming
     */
    record Happenings(List<CmHappening> list) implements Reply {}

    /**
     * The addresses of an id, as address, slash and port.
     *
     * @param local the own one, or empty
     * @param peer the other side's, or empty
     */
    record Addresses(String local, String peer) implements Reply {}
}
