// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.ReceiveWorkRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Receive requests on the Java heap. For one thread at a time.
 *
 * @since 1.0
 */
public final class PlainReceiveRequests extends AbstractWorkRequests implements ReceiveRequests {
    private final List<Request> requests;

    /**
     * Makes a batch.
     *
     * @param capacity how many requests it holds, at least 1
     */
    public PlainReceiveRequests(int capacity) {
        super(capacity);
        requests = Stream.generate(Request::new).limit(capacity).toList();
    }

    @Override
    public Request get(int index) {
        return requests.get(index);
    }

    /**
     * Posts requests.
     *
     * @param first the first request
     * @param count how many
     * @param queue posts one; NONE, or why not
     * @return how many were taken
     * @throws IndexOutOfBoundsException if the batch has no such requests
     */
    public int post(int first, int count, Function<Request, PostRefusal> queue) {
        return postEach(first, count, index -> queue.apply(get(index)));
    }

    /**
     * A request, which is the program's again when the post returns.
     *
     * @since 1.0
     */
    public static final class Request implements ReceiveWorkRequest {
        private final List<ScatterGatherEntry> entries = new ArrayList<>();
        private long id;

        private Request() {}

        /**
         * Returns the id that the completion carries.
         *
         * @return any value
         */
        public long id() {
            return id;
        }

        /**
         * Returns the memory that the message fills.
         *
         * @return a copy, in the order of the message
         */
        public List<ScatterGatherEntry> entries() {
            return List.copyOf(entries);
        }

        @Override
        public ReceiveWorkRequest clear() {
            id = 0;
            entries.clear();
            return this;
        }

        @Override
        public ReceiveWorkRequest id(long workRequestId) {
            id = workRequestId;
            return this;
        }

        @Override
        public ReceiveWorkRequest sge(MemoryRegion region, long offset, long length) {
            entries.add(ScatterGatherEntry.of(region, offset, length));
            return this;
        }

        @Override
        public ReceiveWorkRequest sge(long address, long length, int lkey) {
            entries.add(new ScatterGatherEntry(address, length, lkey));
            return this;
        }
    }
}
