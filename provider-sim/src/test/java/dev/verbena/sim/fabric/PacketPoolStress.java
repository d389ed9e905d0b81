// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import java.lang.foreign.Arena;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A packet has one owner at a time, even if several threads take and release packets at the same moment. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "two packets, linked to nothing")
@State
public class PacketPoolStress {
    // One pool for all states, so that it is always in use; native memory is not freed.
    private static final PacketPool POOL = new PacketPool(Arena.global());

    private SimPacket one = POOL.take();
    private SimPacket other = POOL.take();

    @Actor
    public void one() {
        one.release();
        one = POOL.take();
    }

    @Actor
    public void other() {
        other.release();
        other = POOL.take();
    }

    @Arbiter
    @SuppressWarnings("ReferenceEquality")
    public void everyoneHasHisOwn(II_Result result) {
        result.r1 = one != other ? 1 : 0;
        result.r2 = one.next() == null && other.next() == null ? 1 : 0;
        one.release();
        other.release();
    }
}
