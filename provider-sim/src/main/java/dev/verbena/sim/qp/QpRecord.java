package dev.verbena.sim.qp;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.memory.KeyDefect;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a queue pair, in numbers, for explaining it later. Each field has one task that writes it, or is guarded by
 * this; readers want a report and take what they see. Nothing here decides anything.
 */
public final class QpRecord {
    /** No value seen. */
    static final int NONE = -1;

    private final int[] counts = new int[Counter.values().length];

    // What failed first, guarded by this.
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

    // Written by the send task.
    int lastResponsePsn = NONE;
    int lastNakSyndrome = NONE;
    int lastNakPsn;
    int lastRnrCode = NONE;

    // Written by the receive task, but for clearing.
    final ReceiveRecord receiving = new ReceiveRecord();

    // Of a packet that was dropped before the queue pair.
    private int strangeKey;

    // Written by posters, who hold the queue's lock, or by the send task; if both do at once, one gets lost.
    private int unsignaledRun;
    private int sendQueueFull;
    private int wrongState;

    /** Makes a record of nothing. */
    QpRecord() {}

    /** Forgets everything, as the queue pair is reset. Neither task may be running. */
    synchronized void clear() {
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

    /** Forgets what failed, as the queue pair goes on. */
    public synchronized void recovered() {
        cause = FailureCause.NONE;
        ended = false;
        failedStatus = null;
    }

    /**
     * Counts for this queue pair what is counted for its device.
     *
     * @param counter what happened
     */
    public void count(Counter counter) {
        if (counter == Counter.RDMA_RECVS) {
            receiving.receives++;
        } else {
            count(counter, 1);
        }
    }

    /** Counts several, of what the receive task does not count. */
    void count(Counter counter, int amount) {
        counts[counter.ordinal()] += amount;
    }

    /**
     * Counts a packet that was dropped before the queue pair saw it.
     *
     * @param counter why
     * @param value the P_Key, Q_Key or opcode that was wrong
     */
    public synchronized void countDropped(Counter counter, int value) {
        counts[counter.ordinal()]++;
        strangeKey = value;
    }

    int count(int ordinal) {
        return ordinal == Counter.RDMA_RECVS.ordinal() ? receiving.receives : counts[ordinal];
    }

    int strangeKey() {
        return strangeKey;
    }

    /** Notes a failure that ends the queue pair; only the first one counts. */
    void failed(FailureCause why, int psn, long one, long other) {
        note(why, psn, one, other, null, true);
    }

    /** Notes the failure of one message, after which the queue pair goes on. */
    void refused(FailureCause why, int psn, long one, long other) {
        note(why, psn, one, other, null, false);
    }

    /** Notes that a key was refused. */
    void refused(FailureCause why, int psn, KeyRefusal refusal, boolean ends) {
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

    /** Notes that the program went to ERR. */
    public void takenToError() {
        failed(FailureCause.TAKEN_TO_ERROR, 0, 0, 0);
    }

    /** Notes that a completion queue lost a completion. */
    public void overran() {
        failed(FailureCause.CQ_OVERRUN, 0, 0, 0);
    }

    /** Notes that an engine threw. */
    public void engineFailed() {
        failed(FailureCause.ENGINE_FAILED, 0, 0, 0);
    }

    /**
     * Notes a completion with a status of its own.
     *
     * @param receive whether of a receive
     * @param id the poster's id
     * @param status neither SUCCESS nor WR_FLUSH_ERR
     */
    public synchronized void completed(boolean receive, long id, WorkCompletionStatus status) {
        if (failedStatus == null || !ended) {
            failedStatus = status;
            failedId = id;
            failedReceive = receive;
        }
    }

    /**
     * Notes a send request that was taken.
     *
     * @param signaled whether it completes visibly
     */
    public void postedSend(boolean signaled) {
        unsignaledRun = signaled ? 0 : unsignaledRun + 1;
    }

    /**
     * Notes send requests that were taken.
     *
     * @param anySignaled whether one of them completed visibly
     * @param unsignaled how many came behind the last one of these, or how many there were
     */
    void postedSends(boolean anySignaled, int unsignaled) {
        unsignaledRun = anySignaled ? unsignaled : unsignaledRun + unsignaled;
    }

    /**
     * Notes a request that was not taken.
     *
     * @param why why not
     */
    public void postRefused(PostRefusal why) {
        if (why == PostRefusal.QUEUE_FULL) {
            sendQueueFull++;
        } else if (why == PostRefusal.WRONG_STATE) {
            wrongState++;
        }
    }

    int unsignaledRun() {
        return unsignaledRun;
    }

    int sendQueueFull() {
        return sendQueueFull;
    }

    int wrongState() {
        return wrongState;
    }

    /** A consistent copy of what failed first. */
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

    /** What failed first; the numbers are those of {@link FailureCause}, for keys address and length. */
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
