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
 * A batch of receive requests on the Java heap. Not thread-safe.
 *
 * @since 1.0
 */
public final class PlainReceiveRequests extends AbstractWorkRequests implements ReceiveRequests {
    private final List<Request> requests;

    /**
     * Creates a batch.
     *
     * @param capacity the number of requests in the batch, at least 1
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
     * Posts consecutive requests of the batch until the queue refuses one.
     *
     * @param first the index of the first request to post
     * @param count the number of requests to post
     * @param queue the function that posts one request; it returns the refusal reason or {@link PostRefusal#NONE}
     * @return the number of requests that the queue accepted
     * @throws IndexOutOfBoundsException if the range of indexes is not inside the batch
     */
    public int post(int first, int count, Function<Request, PostRefusal> queue) {
        return postEach(first, count, index -> queue.apply(get(index)));
    }

    /**
     * A receive request, which the program may fill again when the post has returned.
     *
     * @since 1.0
     */
    public static final class Request implements ReceiveWorkRequest {
        private final List<ScatterGatherEntry> entries = new ArrayList<>();
        private long id;

        private Request() {}

        /** {@return the work request id, which the completion reports; the program may choose any value} */
        public long id() {
            return id;
        }

        /** {@return a copy of the scatter/gather list; a message fills the entries in list order} */
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
