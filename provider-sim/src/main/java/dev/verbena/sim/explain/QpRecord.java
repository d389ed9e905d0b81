// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.memory.KeyDefect;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The failures, PSNs and event counters that {@link QpExplainer} reports for a queue pair. The monitor of a {@code
 * QpRecord} guards the first failure, and only one task of the queue pair writes most other fields. A thread that reads the
 * {@code QpRecord} may see a partial update. Requester, completer and responder only write to a {@code QpRecord}.
 */
public final class QpRecord {
    /** The initial value of a PSN field or a NAK syndrome field of the {@code QpRecord}. */
    static final int NONE = -1;

    private final int[] counts = new int[Counter.values().length];

    // The first failure, guarded by the monitor of this object.
    private FailureCause cause = FailureCause.NONE;
    private boolean ended;
    private int causePsn;
    private long first;
    private long second;
    private KeyDefect keyDefect = KeyDefect.NONE;
    private int key;
    private int keyAccess;
    private @Nullable WorkCompletionStatus failedStatus;
    private long failedId;
    private boolean failedReceive;

    // Only the send task writes the following fields.
    int lastResponsePsn = NONE;
    int lastNakSyndrome = NONE;
    int lastNakPsn;
    int lastRnrCode = NONE;

    // Only the receive task and `clear()` write to the `ReceiveRecord`.
    final ReceiveRecord receiving = new ReceiveRecord();

    // The wrong P_Key, Q_Key or opcode of the last packet that the port dropped.
    int strangeKey;

    // Posting threads and the thread that owns the send task write the counters `unsignaledRun`, `sendQueueFull` and
    // `wrongState` without a common lock. If two threads change a counter concurrently, one change may be lost.
    int unsignaledRun;
    int sendQueueFull;
    int wrongState;

    public QpRecord() {}

    /**
     * Clears the failures, PSNs and event counters of this {@code QpRecord} when the queue pair is reset. The queue pair's
     * tasks must not be running.
     */
    public synchronized void clear() {
        Arrays.fill(counts, 0);
        recovered();
        lastResponsePsn = NONE;
        lastNakSyndrome = NONE;
        lastRnrCode = NONE;
        receiving.clear();
        unsignaledRun = 0;
        sendQueueFull = 0;
        wrongState = 0;
    }

    /** Clears the recorded failure when the queue pair returns from SQE to RTS. */
    public synchronized void recovered() {
        cause = FailureCause.NONE;
        ended = false;
        failedStatus = null;
    }

    /** Increments {@code counter} for this queue pair. The caller must also increment {@code counter} for the device. */
    public void count(Counter counter) {
        if (counter == Counter.RDMA_RECVS) {
            receiving.receives++;
        } else {
            count(counter, 1);
        }
    }

    /**
     * Adds an amount to a counter of this queue pair. {@link ReceiveRecord} counts {@link Counter#RDMA_RECVS}, so callers
     * must not pass {@code RDMA_RECVS} to this method.
     */
    public void count(Counter counter, int amount) {
        counts[counter.ordinal()] += amount;
    }

    /**
     * Counts a packet that the port dropped because the packet failed a header check.
     *
     * @param value the wrong P_Key, Q_Key or opcode
     */
    public synchronized void countDropped(Counter counter, int value) {
        counts[counter.ordinal()]++;
        strangeKey = value;
    }

    int count(int ordinal) {
        return ordinal == Counter.RDMA_RECVS.ordinal() ? receiving.receives : counts[ordinal];
    }

    public ReceiveRecord receiving() {
        return receiving;
    }

    public void answered(int psn) {
        lastResponsePsn = psn;
    }

    public void gotNak(int psn, int syndrome) {
        lastNakSyndrome = syndrome;
        lastNakPsn = psn;
    }

    public void gotRnrNak(int timerCode) {
        lastRnrCode = timerCode;
    }

    /**
     * Stores a failure that moves the queue pair to ERR. Only the first failure is stored.
     *
     * @param why the reason; {@link FailureCause} describes the meaning of {@code one} and {@code other}
     * @param psn the PSN of the packet that caused the failure
     */
    public void failed(FailureCause why, int psn, long one, long other) {
        note(why, psn, one, other, null, true);
    }

    /** Stores, for {@link QpExplainer}, a failure of one message after which the queue pair is still usable. */
    public void refused(FailureCause why, int psn, long one, long other) {
        note(why, psn, one, other, null, false);
    }

    /**
     * Records that an access check denied an access.
     *
     * @param why {@code LOCAL_KEY} or {@code RECEIVE_KEY} for the L_Key of an SGE, {@code REMOTE_KEY} for an R_Key
     * @param ends whether the denied access moves the queue pair to the error state
     */
    public void refused(FailureCause why, int psn, KeyRefusal refusal, boolean ends) {
        note(why, psn, refusal.address, refusal.bytes, refusal, ends);
    }

    private synchronized void note(
            FailureCause why, int psn, long one, long other, @Nullable KeyRefusal refusal, boolean ends) {
        if (ended) {
            return;
        }
        ended = ends;
        cause = why;
        causePsn = psn;
        first = one;
        second = other;
        if (refusal != null) {
            keyDefect = refusal.defect;
            key = refusal.key;
            keyAccess = refusal.access;
        }
    }

    public void failed(FailureCause why) {
        failed(why, 0, 0, 0);
    }

    /** Records a completion with an error status other than WR_FLUSH_ERR. */
    public synchronized void completed(boolean receive, long id, WorkCompletionStatus status) {
        if (failedStatus == null || !ended) {
            failedStatus = status;
            failedId = id;
            failedReceive = receive;
        }
    }

    public void postedSend(boolean signaled) {
        unsignaledRun = signaled ? 0 : unsignaledRun + 1;
    }

    /**
     * Updates the number of consecutive unsignaled requests after the loopback path has executed send requests.
     *
     * @param anySignaled whether at least one request was signaled
     * @param unsignaled the number of requests after the last signaled request, or of all requests if no request was
     *     signaled
     */
    public void postedSends(boolean anySignaled, int unsignaled) {
        unsignaledRun = anySignaled ? unsignaled : unsignaledRun + unsignaled;
    }

    public void postRefused(PostRefusal why) {
        if (why == PostRefusal.QUEUE_FULL) {
            sendQueueFull++;
        } else if (why == PostRefusal.WRONG_STATE) {
            wrongState++;
        }
    }

    /** Returns a consistent copy of the queue pair's first failure. */
    synchronized Failure failure() {
        return new Failure(
                cause,
                ended,
                causePsn,
                first,
                second,
                keyDefect,
                key,
                keyAccess,
                failedStatus,
                failedId,
                failedReceive);
    }

    /**
     * The first failure. After a failed access check, {@code first} and {@code second} are the address and the length of
     * the denied access.
     */
    record Failure(
            FailureCause cause,
            boolean ended,
            int psn,
            long first,
            long second,
            KeyDefect keyDefect,
            int key,
            int keyAccess,
            @Nullable WorkCompletionStatus status,
            long id,
            boolean receive) {}
}
