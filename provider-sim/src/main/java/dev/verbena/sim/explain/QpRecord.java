// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.explain;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.memory.KeyDefect;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The failures and counts of a queue pair, for explanations. Each field is written by one task or guarded by {@code this}. Readers
 * need only a report and accept a partial view. No engine reads the record to decide anything.
 */
public final class QpRecord {
    /** No value has been recorded. */
    static final int NONE = -1;

    private final int[] counts = new int[Counter.values().length];

    // The first failure, guarded by this.
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

    // Written by the receive task, except clear().
    final ReceiveRecord receiving = new ReceiveRecord();

    // The wrong P_Key, Q_Key or opcode of the last packet that the port dropped.
    int strangeKey;

    // Written by posters, which hold the queue's lock, or by the send task; if both write at once, one count is lost.
    int unsignaledRun;
    int sendQueueFull;
    int wrongState;

    /** Creates an empty record. */
    public QpRecord() {}

    /** Clears the record, as the queue pair is reset. Neither task may be running. */
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

    /** Forgets the failure, as the queue pair leaves SQE. */
    public synchronized void recovered() {
        cause = FailureCause.NONE;
        ended = false;
        failedStatus = null;
    }

    /**
     * Counts an event of this queue pair, beside the count of its device.
     *
     * @param counter the event
     */
    public void count(Counter counter) {
        if (counter == Counter.RDMA_RECVS) {
            receiving.receives++;
        } else {
            count(counter, 1);
        }
    }

    /**
     * Counts several events of a counter that the receive task does not write.
     *
     * @param counter the event
     * @param amount how many
     */
    public void count(Counter counter, int amount) {
        counts[counter.ordinal()] += amount;
    }

    /**
     * Counts a packet that the port dropped before it reached the queue pair.
     *
     * @param counter the reason
     * @param value the P_Key, Q_Key or opcode that was wrong
     */
    public synchronized void countDropped(Counter counter, int value) {
        counts[counter.ordinal()]++;
        strangeKey = value;
    }

    int count(int ordinal) {
        return ordinal == Counter.RDMA_RECVS.ordinal() ? receiving.receives : counts[ordinal];
    }

    /**
     * Returns the part that the receive task writes.
     *
     * @return always the same object
     */
    public ReceiveRecord receiving() {
        return receiving;
    }

    /**
     * Records the last response of the peer.
     *
     * @param psn its PSN
     */
    public void answered(int psn) {
        lastResponsePsn = psn;
    }

    /**
     * Records a NAK of the peer.
     *
     * @param psn its PSN
     * @param syndrome its syndrome
     */
    public void gotNak(int psn, int syndrome) {
        lastNakSyndrome = syndrome;
        lastNakPsn = psn;
    }

    /**
     * Records an RNR NAK of the peer.
     *
     * @param timerCode the code of its RNR timer
     */
    public void gotRnrNak(int timerCode) {
        lastRnrCode = timerCode;
    }

    /**
     * Records a failure that ends the queue pair. Only the first one is kept.
     *
     * @param why the reason, which defines the two values
     * @param psn the PSN of the packet that failed
     * @param one the first value
     * @param other the second value
     */
    public void failed(FailureCause why, int psn, long one, long other) {
        note(why, psn, one, other, null, true);
    }

    /**
     * Records the failure of one message that does not end the queue pair.
     *
     * @param why the reason, which defines the two values
     * @param psn the PSN of the packet that failed
     * @param one the first value
     * @param other the second value
     */
    public void refused(FailureCause why, int psn, long one, long other) {
        note(why, psn, one, other, null, false);
    }

    /**
     * Records that an access check refused a key.
     *
     * @param why the use of the key
     * @param psn the PSN of the packet that failed
     * @param refusal the refused access
     * @param ends whether this ends the queue pair
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

    /**
     * Records a failure that ends the queue pair and has no values.
     *
     * @param why the reason
     */
    public void failed(FailureCause why) {
        failed(why, 0, 0, 0);
    }

    /**
     * Records a completion with an error status other than WR_FLUSH_ERR.
     *
     * @param receive whether a receive completed
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
     * Records a posted send request.
     *
     * @param signaled whether the request is signaled
     */
    public void postedSend(boolean signaled) {
        unsignaledRun = signaled ? 0 : unsignaledRun + 1;
    }

    /**
     * Records send requests that the loopback path executed.
     *
     * @param anySignaled whether at least one of them was signaled
     * @param unsignaled how many unsignaled ones followed the last signaled one; without one, how many there were
     */
    public void postedSends(boolean anySignaled, int unsignaled) {
        unsignaledRun = anySignaled ? unsignaled : unsignaledRun + unsignaled;
    }

    /**
     * Records a request that the post refused.
     *
     * @param why the reason of the refusal
     */
    public void postRefused(PostRefusal why) {
        if (why == PostRefusal.QUEUE_FULL) {
            sendQueueFull++;
        } else if (why == PostRefusal.WRONG_STATE) {
            wrongState++;
        }
    }

    /** Returns a consistent copy of the first failure. */
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

    /** The first failure. {@link FailureCause} defines the two values; for a refused key they are address and length. */
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
