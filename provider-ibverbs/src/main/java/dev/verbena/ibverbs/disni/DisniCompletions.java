// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCPollCq;
import dev.verbena.spi.AbstractWorkCompletion;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletions;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A batch of polled completions. This class reuses DiSNI's stateful verb call ({@link SVCPollCq}) of the previous poll if
 * the completion queue is the same.
 */
final class DisniCompletions implements WorkCompletions {
    private final IbvWC[] raw;
    private final DisniCompletion[] all;
    private final DisniCompletion[] taken;
    private int count;
    private @Nullable IbvCQ polled;
    private @Nullable SVCPollCq call;

    DisniCompletions(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a batch of " + capacity + " completions; it needs at least 1");
        }
        raw = new IbvWC[capacity];
        Arrays.setAll(raw, index -> new IbvWC());
        all = Arrays.stream(raw).map(DisniCompletion::new).toArray(DisniCompletion[]::new);
        taken = new DisniCompletion[capacity];
    }

    /**
     * Polls the completion queue, and removes the completions of closed queue pairs. If all completions belong to
     * closed queue pairs, this method polls again.
     */
    int fill(RdmaVerbs verbs, QueuePairs queuePairs, IbvCQ cq) throws IOException {
        count = 0;
        SVCPollCq polling = callFor(verbs, cq);
        int polls;
        do {
            polling.execute();
            polls = polling.getPolls();
            for (int i = 0; i < polls; i++) {
                DisniQp owner = queuePairs.find(DisniQp.serialOf(raw[i].getWr_id()));
                if (owner != null) {
                    all[i].read(owner);
                    taken[count++] = all[i];
                }
            }
        } while (polls > 0 && count == 0);
        return count;
    }

    private SVCPollCq callFor(RdmaVerbs verbs, IbvCQ cq) throws IOException {
        SVCPollCq known = call;
        if (known == null || !cq.equals(polled)) {
            if (known != null) {
                known.free();
            }
            known = verbs.pollCQ(cq, raw, raw.length);
            call = known;
            polled = cq;
        }
        return known;
    }

    @Override
    public int capacity() {
        return all.length;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public WorkCompletion get(int index) {
        return taken[AbstractWorkCompletion.checkIndex(index, count)];
    }
}
