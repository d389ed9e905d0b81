// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.queue;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.ibverbs.event.NativeChannel;
import dev.verbena.ibverbs.event.QueueTable;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.library.NativeContext;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.struct.IbvCq;
import dev.verbena.ibverbs.struct.IbvCqEx;
import dev.verbena.ibverbs.struct.IbvCqInitAttrEx;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Checks the attributes of a new completion queue, and creates the queue with its completion channel. */
public final class CqCreation {
    private static final String CREATE = "ibv_create_cq";
    private static final String CREATE_EX = "ibv_create_cq_ex";

    private final Device device;
    private final NativeContext context;
    private final HandlerChannel handlers;
    private final QueueTable queues;

    public CqCreation(Device device, NativeContext context, HandlerChannel handlers, QueueTable queues) {
        this.device = device;
        this.context = context;
        this.handlers = handlers;
        this.queues = queues;
    }

    @SuppressWarnings("restricted") // The segment has the size of the C structure.
    public NativeCq create(CqInitAttributes attributes) throws VerbsException {
        DeviceAttributes limits = device.attributes();
        NativeCq.checkCapacity(attributes.capacity(), limits, CREATE);
        if (attributes.completionVector() >= limits.completionVectors()) {
            throw Refusals.invalid(
                    CREATE,
                    "completion vector " + attributes.completionVector() + " of " + device + ", which has "
                            + limits.completionVectors());
        }
        CompletionChannel given = attributes.channel();
        NativeChannel channel = given == null ? null : Refusals.own(NativeChannel.class, given, CREATE, device);
        if (channel != null && channel.context() != context) {
            throw Refusals.invalid(CREATE, channel + " is of another device");
        }
        MemorySegment announcing = attributes.handler() != null ? handlers.pointer() : MemorySegment.NULL;
        MemorySegment through = channel == null ? announcing : channel.handle().enter();
        try {
            MemorySegment cq = attributes.timestamps() ? makeEx(attributes, through) : make(attributes, through);
            long size = attributes.timestamps() ? IbvCqEx.LAYOUT.byteSize() : IbvCq.LAYOUT.byteSize();
            NativeCq made = new NativeCq(device, context, queues, attributes, channel, cq.reinterpret(size));
            queues.add(cq, made);
            if (channel != null) {
                channel.dependents().add(made);
            }
            return made;
        } finally {
            if (channel != null) {
                channel.handle().exit();
            }
        }
    }

    private MemorySegment make(CqInitAttributes attributes, MemorySegment channel) throws VerbsException {
        return context.whileOpen(open -> Outcome.make(
                CREATE,
                "creating a completion queue of " + attributes.capacity() + " on " + device,
                "request fewer entries",
                callState -> context.library()
                        .completions()
                        .createCq(
                                callState,
                                open,
                                attributes.capacity(),
                                MemorySegment.NULL,
                                channel,
                                attributes.completionVector())));
    }

    private MemorySegment makeEx(CqInitAttributes attributes, MemorySegment channel) throws VerbsException {
        device.require(Capability.COMPLETION_TIMESTAMP, CREATE_EX);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment wanted = arena.allocate(IbvCqInitAttrEx.LAYOUT);
            wanted.set(JAVA_INT, IbvCqInitAttrEx.CQE, attributes.capacity());
            wanted.set(ADDRESS, IbvCqInitAttrEx.CHANNEL, channel);
            wanted.set(JAVA_INT, IbvCqInitAttrEx.COMP_VECTOR, attributes.completionVector());
            wanted.set(
                    JAVA_LONG,
                    IbvCqInitAttrEx.WC_FLAGS,
                    IbvCqInitAttrEx.STANDARD_FLAGS | IbvCqInitAttrEx.WITH_COMPLETION_TIMESTAMP);
            return context.whileOpen(open -> Outcome.make(
                    CREATE_EX,
                    "creating a completion queue of " + attributes.capacity() + " with timestamps on " + device,
                    "request fewer entries, or for a queue without timestamps",
                    callState -> context.ports().createCqEx(callState, open, wanted)));
        }
    }
}
