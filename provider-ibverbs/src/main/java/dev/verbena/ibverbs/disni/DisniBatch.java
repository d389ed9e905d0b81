// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import dev.verbena.spi.AbstractWorkRequests;
import dev.verbena.verbs.PostRefusal;
import java.io.IOException;

/**
 * The common part of batches of send and receive requests. Requests are posted one by one, since DiSNI loses
 * {@code bad_wr}.
 */
abstract class DisniBatch extends AbstractWorkRequests {
    DisniBatch(int capacity) {
        super(capacity);
    }

    /** Posts one request, or returns why not. */
    abstract PostRefusal post(int index) throws IOException;

    /** Posts requests until one is refused; returns how many were posted. */
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
