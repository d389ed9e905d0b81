package dev.verbena.ibverbs.disni;

import dev.verbena.verbs.PostRefusal;
import java.io.IOException;
import java.util.Objects;

/** What batches of send and of receive requests have in common: requests are posted one by one, for DiSNI loses {@code bad_wr}. */
abstract class DisniBatch {
    private final int capacity;
    private PostRefusal refusal = PostRefusal.NONE;
    private int refusedIndex = -1;

    DisniBatch(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a batch of " + capacity + " requests; it needs at least 1");
        }
        this.capacity = capacity;
    }

    public int capacity() {
        return capacity;
    }

    public PostRefusal refusal() {
        return refusal;
    }

    public int refusedIndex() {
        return refusedIndex;
    }

    /** Posts one request, or says why not. */
    abstract PostRefusal post(int index) throws IOException;

    /** Posts requests until one is refused; returns how many were not. */
    int postAll(int first, int count) {
        Objects.checkFromIndexSize(first, count, capacity);
        refusal = PostRefusal.NONE;
        refusedIndex = -1;
        for (int taken = 0; taken < count; taken++) {
            try {
                refusal = post(first + taken);
            } catch (IOException failed) {
                refusal = PostRefusal.DEVICE_ERROR;
            }
            if (refusal != PostRefusal.NONE) {
                refusedIndex = first + taken;
                return taken;
            }
        }
        return count;
    }

    @Override
    public String toString() {
        return capacity + " requests, " + refusal + (refusedIndex < 0 ? "" : " at " + refusedIndex);
    }
}
