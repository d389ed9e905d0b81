// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A batch of send requests with the opcode SEND, on the Java heap. Not thread-safe.
 *
 * @since 1.0
 */
public final class PlainSendRequests extends AbstractWorkRequests implements SendRequests {
    private final List<Request> requests;

    /**
     * Creates a batch.
     *
     * @param capacity the number of requests in the batch, at least 1
     */
    public PlainSendRequests(int capacity) {
        super(capacity);
        requests = Stream.generate(Request::new).limit(capacity).toList();
    }

    @Override
    public Request get(int index) {
        return requests.get(index);
    }

    /**
     * Posts consecutive send requests of the batch until one is refused. Only SENDs without inline data are accepted.
     *
     * @param first the index of the first request to post
     * @param count the number of requests to post
     * @param queue the function that posts one SEND; it returns the refusal reason or {@link PostRefusal#NONE}
     * @return the number of requests that the queue accepted
     * @throws IndexOutOfBoundsException if the range of indexes is not inside the batch
     */
    public int post(int first, int count, Function<Request, PostRefusal> queue) {
        return postEach(first, count, index -> {
            Request request = get(index);
            PostRefusal defect = request.defect();
            return defect == PostRefusal.NONE ? queue.apply(request) : defect;
        });
    }

    /**
     * A send request, which the program may fill again when the post has returned.
     *
     * @since 1.0
     */
    public static final class Request extends AbstractSendWorkRequest {
        private final List<ScatterGatherEntry> entries = new ArrayList<>();
        private @Nullable SendOpcode operation;
        private long id;
        private boolean signaled;
        private boolean inline;

        private Request() {}

        private PostRefusal defect() {
            if (operation == null) {
                return PostRefusal.NO_OPERATION;
            }
            if (operation != SendOpcode.SEND) {
                return PostRefusal.OPCODE_NOT_SUPPORTED;
            }
            return inline ? PostRefusal.INLINE_TOO_LONG : PostRefusal.NONE;
        }

        /** {@return the work request id, which the completion reports; the program may choose any value} */
        public long id() {
            return id;
        }

        /** {@return whether {@link #signaled()} was called for this request} */
        public boolean isSignaled() {
            return signaled;
        }

        /** {@return a copy of the list of scatter/gather entries, in the order of the message} */
        public List<ScatterGatherEntry> entries() {
            return List.copyOf(entries);
        }

        private Request begin(SendOpcode chosen) {
            operation = chosen;
            id = 0;
            signaled = false;
            inline = false;
            entries.clear();
            return this;
        }

        @Override
        protected Request unsupported(SendOpcode other) {
            return begin(other);
        }

        @Override
        public Request send() {
            return begin(SendOpcode.SEND);
        }

        @Override
        public SendWorkRequest id(long workRequestId) {
            id = workRequestId;
            return this;
        }

        @Override
        public SendWorkRequest signaled() {
            signaled = true;
            return this;
        }

        /** Does nothing, because a solicited event needs a completion channel, which the receiver does not have. */
        @Override
        public SendWorkRequest solicited() {
            return this;
        }

        /**
         * Does nothing. A fence delays a request until earlier RDMA READs and atomics end, but this queue pair supports
         * neither.
         */
        @Override
        public SendWorkRequest fence() {
            return this;
        }

        @Override
        public SendWorkRequest inline() {
            inline = true;
            return this;
        }

        @Override
        public SendWorkRequest inlineData(MemorySegment data) {
            entries.clear();
            return inline();
        }

        @Override
        public SendWorkRequest sge(MemoryRegion region, long offset, long length) {
            entries.add(ScatterGatherEntry.of(region, offset, length));
            return this;
        }

        @Override
        public SendWorkRequest sge(long address, long length, int lkey) {
            entries.add(new ScatterGatherEntry(address, length, lkey));
            return this;
        }
    }
}
