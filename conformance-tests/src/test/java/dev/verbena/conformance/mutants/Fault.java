// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import dev.verbena.sim.fabric.SimPacket;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A defect of a provider. Both devices of a rig share one, made for that rig. */
interface Fault {
    Fault NONE = new Fault() {};

    default @Nullable Object call(Call call) throws Throwable {
        return call.proceed();
    }

    /** Sends a packet with this defect; a fault that does not pass the packet on releases it. */
    default void sends(SimPacket packet, Consumer<SimPacket> on) {
        on.accept(packet);
    }

    /** Receives a packet with this defect; a fault that does not pass the packet on releases it. */
    default void gets(SimPacket packet, Consumer<SimPacket> on) {
        on.accept(packet);
    }

    default Fault and(Fault below) {
        Fault above = this;
        return new Fault() {
            @Override
            public @Nullable Object call(Call call) throws Throwable {
                return above.call(call.through(below));
            }

            @Override
            public void sends(SimPacket packet, Consumer<SimPacket> on) {
                above.sends(packet, passed -> below.sends(passed, on));
            }

            @Override
            public void gets(SimPacket packet, Consumer<SimPacket> on) {
                above.gets(packet, passed -> below.gets(passed, on));
            }
        };
    }
}
