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

/** The result of a {@link Step}, such as a verbs or CM call. */
public sealed interface Reply {
    /** The {@link Step} has succeeded and has no result. */
    record Done() implements Reply {}

    record Described(Facts facts) implements Reply {}

    /**
     * The verbs call of the {@link Step} threw an exception.
     *
     * @param exception the simple name of the class of the provider's exception
     * @param errno the errno of a {@code VerbsException}
     */
    record Refusal(String exception, Optional<Errno> errno, String message) implements Reply {}

    record Count(long value) implements Reply {}

    record Bytes(byte[] value) implements Reply {}

    /**
     * The address, length and keys of a memory region.
     *
     * @param address the remote address of the region's first byte
     */
    record RegionFacts(long address, long length, int lkey, int rkey) implements Reply {}

    record QpFacts(int number, QpCapabilities capabilities) implements Reply {}

    record State(QpState state) implements Reply {}

    record Attributes(QpAttributes attributes) implements Reply {}

    record SrqFacts(SrqAttributes attributes) implements Reply {}

    /**
     * The result of posting a list of work requests.
     *
     * @param taken the number of posted work requests
     * @param refusedIndex the index of the work request that was refused, or -1
     * @param refusal the reason why the provider refused the work request
     */
    record Posted(int taken, int refusedIndex, PostRefusal refusal) implements Reply {
        /** Fails unless the provider accepted all work requests. */
        void assertAll(Record... requests) {
            if (taken < requests.length) {
                fail(requests[taken] + " was not taken: " + refusal);
            }
        }
    }

    record Completions(List<Completion> list) implements Reply {}

    record Events(List<Event> list) implements Reply {}

    record CmEvents(List<CmEventRecord> list) implements Reply {}

    /** The addresses of a connection id, each in the form "address/port", or empty. */
    record Addresses(String local, String peer) implements Reply {}
}
