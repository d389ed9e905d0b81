package dev.verbena.ibverbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.ibverbs.internal.Undo;
import dev.verbena.ibverbs.struct.IbvCompChannel;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

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

    /** Takes all announcements there are; none if the channel is closed. */
    List<NativeCq> read() {
        List<NativeCq> announced = new ArrayList<>();
        if (!handle.tryEnter()) {
            return announced;
        }
        try (Arena arena = Arena.ofConfined()) {
            CompletionCalls calls = device.library().completions();
            MemorySegment callState = CallState.allocate(arena);
            MemorySegment cq = arena.allocate(ADDRESS);
            MemorySegment context = arena.allocate(ADDRESS);
            while (calls.getCqEvent(callState, handle.pointer(), cq, context) == 0) {
                MemorySegment pointer = cq.get(ADDRESS, 0);
                // Destroying the queue waits for the acknowledgement, so until then the pointer is this queue's.
                device.openQueues().find(pointer, NativeCq.class).ifPresent(announced::add);
                calls.ackCqEvents(pointer, 1);
            }
        } finally {
            handle.exit();
        }
        return announced;
    }

    void destroy(MemorySegment channel) throws VerbsException {
        Outcome.destroy(
                "ibv_destroy_comp_channel",
                "closing the " + handle,
                "close the queues that use it",
                callState -> device.library().completions().destroyCompChannel(callState, channel));
    }
}
