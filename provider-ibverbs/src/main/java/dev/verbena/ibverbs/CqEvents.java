package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.ibverbs.internal.Undo;
import dev.verbena.ibverbs.struct.IbvCompChannel;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/** A {@code struct ibv_comp_channel}: made, read without blocking, destroyed. */
final class CqEvents {
    private final NativeDevice device;
    private final NativeHandle handle;
    private final int descriptor;

    private CqEvents(NativeDevice device, MemorySegment channel) {
        this.device = device;
        handle = new NativeHandle("completion channel of " + device, channel);
        descriptor = channel.get(JAVA_INT, IbvCompChannel.FD);
    }

    @SuppressWarnings("restricted") // The size is the header's.
    static CqEvents create(NativeDevice device, Descriptors descriptors) throws VerbsException {
        MemorySegment channel = device.whileOpen(context -> Outcome.make(
                        "ibv_create_comp_channel",
                        "making a completion channel of " + device,
                        "look at the limit of open files (ulimit -n)",
                        callState -> device.library().completions().createCompChannel(callState, context)))
                .reinterpret(IbvCompChannel.LAYOUT.byteSize());
        CqEvents made = new CqEvents(device, channel);
        Undo.onFailure(() -> descriptors.doNotBlock(made.descriptor), () -> made.destroy(channel));
        return made;
    }

    NativeHandle handle() {
        return handle;
    }

    int descriptor() {
        return descriptor;
    }

    /**
     * Reads all announcements there are; none if the channel is closed.
     *
     * @param announced called with each queue before the announcement is acknowledged. Destroying a queue waits for the acknowledgement,
     *     so until then the pointer is this queue's, and whatever is noted about the queue is forgotten when it is closed
     */
    void read(Consumer<NativeCq> announced) {
        if (!handle.tryEnter()) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            CompletionCalls calls = device.library().completions();
            MemorySegment callState = CallState.allocate(arena);
            MemorySegment cq = arena.allocate(ADDRESS);
            MemorySegment context = arena.allocate(ADDRESS);
            while (calls.getCqEvent(callState, handle.pointer(), cq, context) == 0) {
                MemorySegment pointer = cq.get(ADDRESS, 0);
                try {
                    device.queues().find(pointer, NativeCq.class).ifPresent(announced);
                } finally {
                    calls.ackCqEvents(pointer, 1);
                }
            }
        } finally {
            handle.exit();
        }
    }

    void destroy(MemorySegment channel) throws VerbsException {
        Outcome.destroy(
                "ibv_destroy_comp_channel",
                "closing the " + handle,
                "close the queues that use it",
                callState -> device.library().completions().destroyCompChannel(callState, channel));
    }
}
