// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.sim.cm.engine.Bytes;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.mad.MadHeader;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** The wire between the QP1s of {@link CmHost}s. */
final class MadWire {
    private final SimRuntime runtime;
    private final boolean inline;
    private final Map<Gid, MadPort.Receiver> receivers = new ConcurrentHashMap<>();
    private Predicate<MadHeader> lost = mad -> false;
    private Runnable onSend = () -> {};

    private MadWire(SimRuntime runtime, boolean inline) {
        this.runtime = runtime;
        this.inline = inline;
    }

    /** Makes a wire on which MADs take a millisecond. */
    static MadWire delayed(SimRuntime runtime) {
        return new MadWire(runtime, false);
    }

    /** Makes a wire that calls the receiver from inside the sender. */
    static MadWire inline(SimRuntime runtime) {
        return new MadWire(runtime, true);
    }

    void lose(Predicate<MadHeader> newLost) {
        lost = newLost;
    }

    void onSend(Runnable newOnSend) {
        onSend = newOnSend;
    }

    MadPort port(List<Gid> gids) {
        return new MadPort() {
            @Override
            public void send(Gid source, Gid destination, MemorySegment mad) {
                onSend.run();
                MemorySegment copy = Bytes.segment(Bytes.list(mad));
                if (lost.test(new MadHeader().wrap(copy, 0))) {
                    return;
                }
                if (inline) {
                    deliver(source, destination, copy);
                } else {
                    runtime.schedule(Duration.ofMillis(1), () -> deliver(source, destination, copy));
                }
            }

            @Override
            public void receiver(Receiver receiver) {
                gids.forEach(gid -> receivers.put(gid, receiver));
            }
        };
    }

    private void deliver(Gid source, Gid destination, MemorySegment mad) {
        MadPort.Receiver receiver = receivers.get(destination);
        if (receiver != null) {
            receiver.onMad(source, destination, mad);
        }
    }
}
