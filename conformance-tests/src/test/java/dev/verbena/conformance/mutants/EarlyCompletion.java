// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.wire.Opcode;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reports a completion before the bytes of its request are in memory. Incoming packets are held, the program polls the
 * completion, and several polls later the packets arrive intact.
 */
final class EarlyCompletion implements Fault {
    /** Polls between the completion and the arrival of the packets. */
    private static final int POLLS = 8;

    private final Predicate<Opcode> held;
    private final Predicate<Opcode> completed;
    private final WorkCompletionOpcode opcode;
    private final Queue<Runnable> arrivals = new ArrayDeque<>();
    private final Fault polls;
    private int heldQp;
    private long lastSend;
    private long lastReceive;
    private boolean due;
    private int left;

    /**
     * Makes the fault.
     *
     * @param held the first packet that is held, and with it all later ones to its queue pair
     * @param completed the packet with which the completion is reported
     * @param opcode of the completion
     */
    EarlyCompletion(Predicate<Opcode> held, Predicate<Opcode> completed, WorkCompletionOpcode opcode) {
        this.held = held;
        this.completed = completed;
        this.opcode = opcode;
        polls = Completions.polled((_, found) -> polled(found));
    }

    private List<WorkCompletion> polled(List<WorkCompletion> found) {
        if (due) {
            due = false;
            left = POLLS;
            return List.of(completion());
        }
        if (left > 0 && --left == 0) {
            while (!arrivals.isEmpty()) {
                arrivals.remove().run();
            }
        }
        return found;
    }

    private WorkCompletion completion() {
        Map<String, Object> fields = new TreeMap<>();
        for (Method getter : WorkCompletion.class.getMethods()) {
            Class<?> type = getter.getReturnType();
            if (type == int.class) {
                fields.put(getter.getName(), 0);
            } else if (type == long.class) {
                fields.put(getter.getName(), 0L);
            } else if (type == boolean.class) {
                fields.put(getter.getName(), false);
            } else if (type == Optional.class) {
                fields.put(getter.getName(), Optional.empty());
            }
        }
        fields.put("workRequestId", opcode.isReceive() ? lastReceive : lastSend);
        fields.put("status", WorkCompletionStatus.SUCCESS);
        fields.put("opcode", opcode);
        return Completions.of(fields);
    }

    @Override
    public @Nullable Object call(Call call) throws Throwable {
        if (call.is("SendWorkRequest.id")) {
            lastSend = call.argument(0, Long.class);
        } else if (call.is("ReceiveWorkRequest.id")) {
            lastReceive = call.argument(0, Long.class);
        }
        return polls.call(call);
    }

    @Override
    public void gets(SimPacket packet, Consumer<SimPacket> on) {
        int qp = packet.bth().destinationQpn();
        boolean behind = !arrivals.isEmpty() && qp == heldQp;
        if (left == 0 && (behind || held.test(packet.opcode()))) {
            heldQp = qp;
            SimPacket kept = packet.copy();
            arrivals.add(() -> on.accept(kept));
            due |= completed.test(packet.opcode());
        } else {
            on.accept(packet);
        }
    }
}
