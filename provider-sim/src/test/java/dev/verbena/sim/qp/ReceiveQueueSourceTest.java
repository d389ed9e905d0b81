// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.queue.ReceiveWqe;
import dev.verbena.sim.queue.WorkQueue;
import org.junit.jupiter.api.Test;

class ReceiveQueueSourceTest {
    private final WorkQueue queue = new WorkQueue(3, ReceiveWqe.HEADER_LENGTH);
    private final ReceiveQueueSource receives = new ReceiveQueueSource(queue, null);

    private void post(long id) {
        new ReceiveWqe().wrap(queue.producerSlots(), queue.producerOffset()).workRequestId(id);
        queue.produce();
    }

    /**
     * Two threads post to one queue pair: the message of the first was only tried, and the request of the second fails.
     */
    @Test
    void aReceiveFailsOnlyWithAMessageThatWasBegun() {
        assertThat(receives.reserve()).isFalse();
        post(1);
        post(2);
        assertThat(receives.reserve()).isTrue();
        assertThat(receives.isHeld()).isFalse();
        assertThat(receives.take()).isTrue();
        assertThat(receives.isHeld()).isTrue();
        assertThat(receives.finish()).isEqualTo(1);
        assertThat(receives.isHeld()).isFalse();
        assertThat(receives.reserve()).isTrue();
        assertThat(receives.finish()).isEqualTo(2);
        assertThat(receives.take()).isFalse();
        assertThat(receives.isHeld()).isFalse();
    }
}
