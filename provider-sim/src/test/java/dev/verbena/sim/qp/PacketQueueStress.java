// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import dev.verbena.sim.fabric.PacketPool;
import dev.verbena.sim.fabric.SimPacket;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The hand-over of packets from the fabric's threads to the engine's. */
public final class PacketQueueStress {
    // Native memory is not freed, packets are reused.
    private static final PacketPool POOL = new PacketPool(Arena.global());

    private PacketQueueStress() {}

    /** The last packet is taken while another is added after it. */
    @JCStressTest
    @Outcome(id = "1, 2, 0", expect = Expect.ACCEPTABLE, desc = "both taken, in order")
    @Outcome(id = "1, 0, 2", expect = Expect.ACCEPTABLE, desc = "one taken, the other still queued")
    @State
    public static class AddAndTake {
        private final PacketQueue queue = new PacketQueue();
        private final List<SimPacket> packets = Arrays.asList(POOL.take(), POOL.take());

        public AddAndTake() {
            queue.add(packets.get(0));
        }

        private int take() {
            return packets.indexOf(queue.poll()) + 1;
        }

        @Actor
        public void add() {
            queue.add(packets.get(1));
        }

        @Actor
        public void take(III_Result result) {
            result.r1 = take();
            result.r2 = take();
        }

        @Arbiter
        public void remainingPackets(III_Result result) {
            result.r3 = take();
            packets.forEach(SimPacket::release);
        }
    }

    /** A packet that arrives while the queue is closed returns to its pool. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "refused, and back in the pool")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "taken and released")
    @State
    public static class AddAndClose {
        private final PacketQueue queue = new PacketQueue();
        private final SimPacket packet = POOL.take();

        @Actor
        public void add(II_Result result) {
            result.r1 = queue.add(packet) ? 1 : 0;
        }

        @Actor
        public void close() {
            queue.close();
        }

        @Arbiter
        public void nothingIsLeft(II_Result result) {
            SimPacket left = queue.poll();
            result.r2 = left == null ? 1 : 0;
            if (left != null) {
                left.release();
            }
        }
    }
}
