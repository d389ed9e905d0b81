// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import dev.verbena.spi.AbstractWorkRequests;
import dev.verbena.verbs.PostRefusal;
import java.io.IOException;

/**
 * The common base class for batches of send requests and of receive requests. Each request is posted by its own call of
 * DiSNI: after a failed post of several requests, DiSNI does not report which request failed ({@code bad_wr}).
 */
abstract class DisniBatch extends AbstractWorkRequests {
    DisniBatch(int capacity) {
        super(capacity);
    }

    /** Posts one request, and returns the reason if the request is refused. */
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
