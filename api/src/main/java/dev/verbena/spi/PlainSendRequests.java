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
 * Requests on the Java heap whose only operation is SEND. For one thread at a time.
 *
 * @since 1.0
 */
public final class PlainSendRequests extends AbstractWorkRequests implements SendRequests {
    private final List<Request> requests;

    /**
     * Makes a batch.
     *
     * @param capacity how many requests it holds, at least 1
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
     * Posts requests, and refuses those of other operations and those with inline data.
     *
     * @param first the first request
     * @param count how many
     * @param queue posts one SEND; NONE, or why not
     * @return how many were taken
     * @throws IndexOutOfBoundsException if the batch has no such requests
     */
    public int post(int first, int count, Function<Request, PostRefusal> queue) {
        return postEach(first, count, index -> {
            Request request = get(index);
            PostRefusal defect = request.defect();
            return defect == PostRefusal.NONE ? queue.apply(request) : defect;
        });
    }

    /**
     * A request, which is the program's again when the post returns.
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

        /**
         * Returns the id that the completion carries.
         *
         * @return any value
         */
        public long id() {
            return id;
        }

        /**
         * Returns whether the request is signaled.
         *
         * @return true after {@link #signaled()}
         */
        public boolean isSignaled() {
            return signaled;
        }

        /**
         * Returns the memory of the message.
         *
         * @return a copy, in the order of the message
         */
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

        /** Does nothing: no completion of the receiver is announced. */
        @Override
        public SendWorkRequest solicited() {
            return this;
        }

        /** Does nothing: the queue has neither READs nor atomics to wait for. */
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
