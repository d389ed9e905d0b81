// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletions;

/**
 * The base class of work completions of connected queue pairs. The base class reports neither immediate data nor an
 * invalidated R_Key. Not thread-safe.
 *
 * @since 1.0
 */
public abstract class AbstractWorkCompletion implements WorkCompletion {
    /** Creates a work completion. */
    protected AbstractWorkCompletion() {}

    /**
     * Checks the index that a program passes to {@link WorkCompletions#get}.
     *
     * @param index the index
     * @param count the number of completions in the batch, which {@link WorkCompletions#count()} returns
     * @return the index
     * @throws IndexOutOfBoundsException if the index is negative or is not less than the number of completions
     */
    public static int checkIndex(int index, int count) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException(
                    count == 0
                            ? "completion " + index + " does not exist: the last poll returned none. Read only as many"
                                    + " as poll returned, or wait with CompletionQueue.await, whose error explains why"
                            : "completion " + index + " does not exist: the last poll returned " + count
                                    + ", numbered from 0");
        }
        return index;
    }

    @Override
    public int vendorError() {
        return 0;
    }

    @Override
    public boolean hasImmediateData() {
        return false;
    }

    @Override
    public int immediateData() {
        return 0;
    }

    @Override
    public boolean hasInvalidatedRkey() {
        return false;
    }

    @Override
    public int invalidatedRkey() {
        return 0;
    }

    @Override
    public int sourceQp() {
        return 0;
    }

    @Override
    public boolean hasGlobalRoute() {
        return false;
    }

    @Override
    public int pkeyIndex() {
        return 0;
    }

    @Override
    public int sourceLid() {
        return 0;
    }

    @Override
    public int serviceLevel() {
        return 0;
    }

    @Override
    public int destinationPathBits() {
        return 0;
    }

    @Override
    public String toString() {
        return "completion of request " + workRequestId() + " on QP " + qpNumber() + ": " + status();
    }
}
