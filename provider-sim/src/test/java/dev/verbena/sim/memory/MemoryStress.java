// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.memory;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.SplittableRandom;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Memory that is deregistered while an engine accesses it: no access follows the return of the deregistration. */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "the key was invalid")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "deregistering waited for the copy")
@State
public class MemoryStress {
    private static final Object DOMAIN = new Object();
    private static final MemoryPieces MEMORY = MemoryPieces.of(MemorySegment.ofArray(new byte[1]));

    private static final MemoryTable TABLE = new MemoryTable(100_000, 0, false, new SplittableRandom(1));

    private final UserMemory memory = Objects.requireNonNull(TABLE.register(DOMAIN, MEMORY, 0, 0));
    private final GrantedRange grant = new GrantedRange(TABLE, new MemoryUser(DOMAIN, 17), QpRole.RESPONDER);
    private int freed;

    @Actor
    public void use(I_Result result) {
        if (grant.openLocal(memory.key(), 0, 0, 1)) {
            result.r1 = 1 + freed;
            grant.close();
        }
    }

    @Actor
    public void deregister() {
        TABLE.deregister(memory);
        freed = 1;
    }
}
