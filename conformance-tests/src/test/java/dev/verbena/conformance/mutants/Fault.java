package dev.verbena.conformance.mutants;

import dev.verbena.sim.fabric.SimPacket;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a provider does wrong. Both devices of a rig share one, made for that rig. */
interface Fault {
    /** Nothing. */
    Fault NONE = new Fault() {};

    /** Does what a call does here. */
    default @Nullable Object call(Call call) throws Throwable {
        return call.proceed();
    }

    /** Does what sending a packet does here; whoever does not pass it on releases it. */
    default void sends(SimPacket packet, Consumer<SimPacket> on) {
        on.accept(packet);
    }

    /** Does what receiving a packet does here; whoever does not pass it on releases it. */
    default void gets(SimPacket packet, Consumer<SimPacket> on) {
        on.accept(packet);
    }

    /** This one on top of another. */
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
