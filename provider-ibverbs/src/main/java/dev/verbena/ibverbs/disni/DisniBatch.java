// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import dev.verbena.spi.AbstractWorkRequests;
import dev.verbena.verbs.PostRefusal;
import java.io.IOException;

/**
 * The common part of batches of send and receive requests. Each request is posted by a call of its own, because DiSNI
 * loses {@code bad_wr}.
 */
abstract class DisniBatch extends AbstractWorkRequests {
    DisniBatch(int capacity) {
        super(capacity);
    }

    /** Posts one request, or returns the reason for the refusal. */
    abstract PostRefusal post(int index) throws IOException;

    int postAll(int first, int count) {
        return postEach(first, count, index -> {
            try {
                return post(index);
            } catch (IOException failed) {
                return PostRefusal.DEVICE_ERROR;
            }
        });
    }
}
