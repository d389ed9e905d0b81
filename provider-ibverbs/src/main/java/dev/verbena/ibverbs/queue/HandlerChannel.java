// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.queue;

import dev.verbena.ibverbs.event.CqEvents;
import dev.verbena.ibverbs.event.Descriptors;
import dev.verbena.ibverbs.event.EventLoop;
import dev.verbena.ibverbs.event.QueueTable;
import dev.verbena.ibverbs.library.NativeContext;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Completion queues with a completion handler share this completion channel of their device. */
public final class HandlerChannel implements EventLoop.Source {
    private final NativeContext context;
    private final QueueTable queues;
    private final EventLoop loop;
    private final Descriptors descriptors;
    private @Nullable CqEvents events;

    public HandlerChannel(NativeContext context, QueueTable queues, EventLoop loop, Descriptors descriptors) {
        this.context = context;
        this.queues = queues;
        this.loop = loop;
        this.descriptors = descriptors;
    }

    /**
     * Returns the completion channel for a new CQ. The caller must prevent the device from being closed until the CQ is
     * created. Closing a device destroys a completion channel that no CQ uses.
     */
    synchronized MemorySegment pointer() throws VerbsException {
        CqEvents now = events;
        if (now == null) {
            now = CqEvents.create(context, queues, descriptors);
            events = now;
            loop.add(now.descriptor(), this);
        }
        return now.handle().pointer();
    }

    private synchronized @Nullable CqEvents events() {
        return events;
    }

    @Override
    public void drain() {
        CqEvents now = events();
        if (now != null) {
            List<NativeCq> announced = new ArrayList<>();
            now.read(NativeCq.class, announced::add);
            // Handlers are called only after the events were acknowledged, because a handler may close its completion
            // queue.
            announced.forEach(NativeCq::callHandler);
        }
    }

    /**
     * Destroys the completion channel. If a CQ still uses the channel, this method fails. If the program creates a CQ
     * with a handler later, the {@code HandlerChannel} creates another completion channel.
     */
    public synchronized void destroy() throws VerbsException {
        CqEvents now = events;
        if (now != null) {
            now.handle().close(now::destroy);
            loop.remove(this);
            events = null;
        }
    }
}
