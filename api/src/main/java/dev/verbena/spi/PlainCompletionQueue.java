// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.WorkCompletions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * A completion queue on the Java heap, without a completion channel or completion handler: the application must poll it.
 * The completion queue does not know which queue pairs use it. Thread-safe.
 *
 * @since 1.0
 */
public class PlainCompletionQueue extends AbstractCompletionQueue {
    private final Queue<Completion> added = new ArrayDeque<>();
    private boolean overrun;
    private boolean closed;

    /**
     * Creates a completion queue.
     *
     * @param device the device of the queue
     * @param attributes the attributes of the queue
     * @throws CapabilityException if the attributes have a completion channel or handler
     */
    public PlainCompletionQueue(Device device, CqInitAttributes attributes) throws CapabilityException {
        super(device, attributes);
        requireSilent(device, attributes);
    }

    /**
     * Adds a completion and wakes the threads that await a completion of this queue. If the completion queue is full
     * ({@link #capacity()}), this completion and all later ones are lost.
     *
     * @param workRequestId the id of the completed work request
     * @param statusCode the status as {@link WorkCompletionStatus#code()}, or a code that Verbena does not know
     * @param opcode the opcode of the completed work request
     * @param byteLength the number of bytes transferred
     * @param qpNumber the QPN of the local queue pair
     */
    public void add(long workRequestId, int statusCode, WorkCompletionOpcode opcode, long byteLength, int qpNumber) {
        synchronized (added) {
            overrun |= added.size() == capacity();
            if (overrun || closed) {
                return;
            }
            added.add(new Completion(workRequestId, statusCode, opcode, byteLength, qpNumber));
        }
        device().runtime().wakeUp();
    }

    @Override
    public WorkCompletions newCompletions(int capacity) {
        return new Batch(capacity);
    }

    @Override
    public int poll(WorkCompletions into) {
        synchronized (added) {
            if (closed || overrun && added.isEmpty()) {
                throw new IllegalStateException("ibv_poll_cq: the completion queue of " + device()
                        + (closed ? " is closed" : " was overrun by more than its " + capacity() + " completions"));
            }
            return ((Batch) into).fill(added);
        }
    }

    @Override
    public void close() {
        synchronized (added) {
            closed = true;
            added.clear();
        }
    }

    private static final class Completion extends AbstractWorkCompletion {
        private final long workRequestId;
        private final int statusCode;
        private final WorkCompletionOpcode opcode;
        private final long byteLength;
        private final int qpNumber;

        Completion(long workRequestId, int statusCode, WorkCompletionOpcode opcode, long byteLength, int qpNumber) {
            this.workRequestId = workRequestId;
            this.statusCode = statusCode;
            this.opcode = opcode;
            this.byteLength = byteLength;
            this.qpNumber = qpNumber;
        }

        @Override
        public long workRequestId() {
            return workRequestId;
        }

        @Override
        public WorkCompletionStatus status() {
            return WorkCompletionStatus.of(statusCode);
        }

        @Override
        public int statusCode() {
            return statusCode;
        }

        @Override
        public WorkCompletionOpcode opcode() {
            return opcode;
        }

        @Override
        public long byteLength() {
            return byteLength;
        }

        @Override
        public int qpNumber() {
            return qpNumber;
        }
    }

    private static final class Batch implements WorkCompletions {
        private final int capacity;
        private final List<WorkCompletion> taken = new ArrayList<>();

        Batch(int capacity) {
            if (capacity < 1) {
                throw new IllegalArgumentException("a batch of " + capacity + " completions; it needs at least 1");
            }
            this.capacity = capacity;
        }

        int fill(Queue<Completion> from) {
            taken.clear();
            while (taken.size() < capacity && !from.isEmpty()) {
                taken.add(from.remove());
            }
            return taken.size();
        }

        @Override
        public int capacity() {
            return capacity;
        }

        @Override
        public int count() {
            return taken.size();
        }

        @Override
        public WorkCompletion get(int index) {
            return taken.get(AbstractWorkCompletion.checkIndex(index, taken.size()));
        }
    }
}
