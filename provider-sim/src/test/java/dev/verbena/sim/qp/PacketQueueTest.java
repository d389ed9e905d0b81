// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fabric.PacketPool;
import dev.verbena.sim.fabric.SimPacket;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PacketQueueTest {
    private final PacketPool pool = new PacketPool(Arena.ofAuto());
    private final PacketQueue queue = new PacketQueue();

    @Property(tries = 100)
    void givesPacketsInTheOrderInWhichTheyCame(@ForAll @Size(max = 200) List<@IntRange(max = 2) Integer> steps) {
        Deque<SimPacket> model = new ArrayDeque<>();
        for (int step : steps) {
            if (step == 0) {
                assertThat(queue.poll()).isSameAs(model.poll());
            } else {
                SimPacket packet = pool.take();
                assertThat(queue.add(packet)).isTrue();
                model.add(packet);
            }
        }
        while (!model.isEmpty()) {
            assertThat(queue.poll()).isSameAs(model.poll());
        }
        assertThat(queue.poll()).isNull();
    }

    @Test
    void givesWhatWasAddedInsideBeforeWhatCameLater() {
        SimPacket first = pool.take();
        SimPacket second = pool.take();
        SimPacket third = pool.take();
        assertThat(queue.isSharedEmpty()).isTrue();
        assertThat(queue.hasOwnerPackets()).isFalse();
        queue.addByOwner(first);
        queue.addByOwner(second);
        assertThat(queue.hasOwnerPackets()).isTrue();
        queue.add(third);
        assertThat(queue.isSharedEmpty()).isFalse();
        assertThat(queue.poll()).isSameAs(first);
        assertThat(queue.poll()).isSameAs(second);
        assertThat(queue.hasOwnerPackets()).isFalse();
        assertThat(queue.poll()).isSameAs(third);
        assertThat(queue.poll()).isNull();
    }

    @Test
    void givesBackWhatAFloodBringsBeyondItsCapacity() {
        int taken = 0;
        for (int i = 0; i < 5000; i++) {
            taken += queue.add(pool.take()) ? 1 : 0;
        }
        assertThat(taken).isBetween(2 * 129, 4096);
        assertThat(pool.made()).isEqualTo(taken + 1);
        queue.drain();
        assertThat(queue.add(pool.take())).isTrue();
    }

    @Test
    void givesBackEverythingWhenItIsClosed() {
        queue.addByOwner(pool.take());
        queue.add(pool.take());
        queue.close();
        assertThat(queue.poll()).isNull();
        assertThat(queue.add(pool.take())).isFalse();
        assertThat(pool.made()).isEqualTo(2);
        assertThat(pool.inUse()).isZero();
    }
}
