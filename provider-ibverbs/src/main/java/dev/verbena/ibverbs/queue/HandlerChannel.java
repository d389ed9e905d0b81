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

/** The one channel of a device for queues whose completions are announced to a handler; made for the first one. */
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

    /** Called inside of the device's guard, so that the channel is not destroyed before a queue uses it. */
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
            // After the acknowledgements, as a handler may close its queue.
            announced.forEach(NativeCq::callHandler);
        }
    }

    /** Destroys the channel when no queue uses it any more; the next queue with a handler makes another one. */
    public synchronized void destroy() throws VerbsException {
        CqEvents now = events;
        if (now != null) {
            now.handle().close(now::destroy);
            loop.remove(this);
            events = null;
        }
    }
}
