// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.event;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.ibverbs.internal.Undo;
import dev.verbena.ibverbs.library.CallState;
import dev.verbena.ibverbs.library.CompletionCalls;
import dev.verbena.ibverbs.library.NativeContext;
import dev.verbena.ibverbs.library.NativeObject;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.struct.IbvCompChannel;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/** A {@code struct ibv_comp_channel}, whose file descriptor is read without blocking. */
public final class CqEvents extends NativeObject {
    private final CompletionCalls calls;
    private final QueueTable queues;
    private final int descriptor;

    private CqEvents(NativeContext context, QueueTable queues, MemorySegment channel) {
        super("completion channel of " + context, channel);
        calls = context.library().completions();
        this.queues = queues;
        descriptor = channel.get(JAVA_INT, IbvCompChannel.FD);
    }

    @SuppressWarnings("restricted") // The segment has the size of the C structure.
    public static CqEvents create(NativeContext context, QueueTable queues, Descriptors descriptors)
            throws VerbsException {
        MemorySegment channel = context.whileOpen(open -> Outcome.make(
                        "ibv_create_comp_channel",
                        "making a completion channel of " + context,
                        "check the limit of open files (ulimit -n)",
                        callState -> context.library().completions().createCompChannel(callState, open)))
                .reinterpret(IbvCompChannel.LAYOUT.byteSize());
        CqEvents made = new CqEvents(context, queues, channel);
        Undo.onFailure(() -> descriptors.doNotBlock(made.descriptor), () -> made.destroy(channel));
        return made;
    }

    public int descriptor() {
        return descriptor;
    }

    /**
     * Reads all pending completion events of the channel, or none if the channel is closed. If an event's completion
     * queue has the given Java class, this method passes the queue to the callback, and only then acknowledges the
     * event. Destroying a completion queue waits until its events are acknowledged, so the pointer in an unacknowledged
     * event is valid.
     */
    public <T> void read(Class<T> type, Consumer<T> announced) {
        if (!handle().tryEnter()) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment callState = CallState.allocate(arena);
            MemorySegment cq = arena.allocate(ADDRESS);
            MemorySegment context = arena.allocate(ADDRESS);
            while (calls.getCqEvent(callState, handle().pointer(), cq, context) == 0) {
                MemorySegment pointer = cq.get(ADDRESS, 0);
                try {
                    queues.find(pointer, type).ifPresent(announced);
                } finally {
                    calls.ackCqEvents(pointer, 1);
                }
            }
        } finally {
            handle().exit();
        }
    }

    public void destroy(MemorySegment channel) throws VerbsException {
        Outcome.destroy(
                "ibv_destroy_comp_channel",
                "closing the " + this,
                "close the queues that use it",
                callState -> calls.destroyCompChannel(callState, channel));
    }
}
