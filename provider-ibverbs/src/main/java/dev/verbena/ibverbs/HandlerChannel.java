package dev.verbena.ibverbs;

import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The one channel of a device for queues whose completions are announced to a handler; made when the first one is. */
final class HandlerChannel implements EventLoop.Source {
    private final NativeDevice device;
    private final Descriptors descriptors;
    private @Nullable CqEvents events;

    HandlerChannel(NativeDevice device, Descriptors descriptors) {
        this.device = device;
        this.descriptors = descriptors;
    }

    MemorySegment pointer() throws VerbsException {
        boolean made = false;
        CqEvents now;
        synchronized (this) {
            if (events == null) {
                events = new CqEvents(device, descriptors);
                made = true;
            }
            now = events;
        }
        if (made) {
            device.loop().add(this);
        }
        return now.handle().pointer();
    }

    private synchronized @Nullable CqEvents events() {
        return events;
    }

    @Override
    public int descriptor() {
        CqEvents now = events();
        return now == null ? -1 : now.descriptor();
    }

    @Override
    public void drain() {
        CqEvents now = events();
        if (now != null) {
            now.read().forEach(NativeCq::announce);
        }
    }

    /** Gives it back after the event thread ended. */
    void destroy() throws VerbsException {
        CqEvents now = events();
        if (now != null) {
            now.handle().close(now::destroy);
        }
    }
}
