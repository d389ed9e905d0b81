// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.cm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.cm.CmEventType;
import dev.verbena.ibverbs.event.Descriptors;
import dev.verbena.ibverbs.event.EventLoop;
import dev.verbena.ibverbs.internal.CmEventQueue;
import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.QueuedEventChannel;
import dev.verbena.ibverbs.library.CallState;
import dev.verbena.ibverbs.library.NativeHandle;
import dev.verbena.ibverbs.struct.RdmaCmEvent;
import dev.verbena.ibverbs.struct.RdmaEventChannel;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An event channel of librdmacm. The connection manager's event thread reads the events for the waiting threads. */
public final class NativeEventChannel extends QueuedEventChannel<NativeCmEvent> implements EventLoop.Source {
    private final NativeConnectionManager manager;
    private final NativeHandle handle;
    private final int descriptor;
    private final Dependents dependents = new Dependents();
    private volatile @Nullable EventLoop loop;

    NativeEventChannel(NativeConnectionManager manager, MemorySegment channel) {
        this(manager, channel, new NativeHandle("event channel 0x" + Long.toHexString(channel.address()), channel));
    }

    private NativeEventChannel(NativeConnectionManager manager, MemorySegment channel, NativeHandle handle) {
        super("the " + handle);
        this.manager = manager;
        this.handle = handle;
        descriptor = channel.get(JAVA_INT, RdmaEventChannel.FD);
    }

    /** Registers this event channel at the event thread. After a failure the caller must destroy the channel. */
    void watch(Descriptors descriptors) throws VerbsException {
        descriptors.doNotBlock(descriptor);
        EventLoop reader = manager.loop();
        loop = reader;
        reader.add(descriptor, this);
    }

    @Override
    protected void readOn() {
        EventLoop reader = loop;
        if (reader != null) {
            reader.wakeUp();
        }
    }

    @Override
    public boolean isFull() {
        return events.isFull();
    }

    NativeConnectionManager manager() {
        return manager;
    }

    NativeHandle handle() {
        return handle;
    }

    Dependents dependents() {
        return dependents;
    }

    CmEventQueue<NativeCmEvent> events() {
        return events;
    }

    @Override
    public void drain() {
        read().forEach(manager::deliver);
    }

    private List<NativeCmEvent> read() {
        List<NativeCmEvent> read = new ArrayList<>();
        if (!handle.tryEnter()) {
            return read;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment callState = CallState.allocate(arena);
            MemorySegment event = arena.allocate(ADDRESS);
            while (read.size() < CmEventQueue.MOST_WAITING
                    && manager.calls().getCmEvent(callState, handle.pointer(), event) == 0) {
                MemorySegment raw = event.get(ADDRESS, 0);
                int before = read.size();
                WallRuntime.shielded(() -> decode(raw).ifPresent(read::add));
                MemorySegment orphan = read.size() > before ? MemorySegment.NULL : requesting(raw);
                manager.calls().ackCmEvent(callState, raw);
                if (orphan.address() != 0) {
                    manager.calls().destroyId(callState, orphan);
                }
            }
        } finally {
            handle.exit();
        }
        return read;
    }

    @SuppressWarnings("restricted") // The segment has the size of the C structure.
    private Optional<NativeCmEvent> decode(MemorySegment pointer) {
        MemorySegment raw = pointer.reinterpret(RdmaCmEvent.LAYOUT.byteSize());
        int code = raw.get(JAVA_INT, RdmaCmEvent.EVENT);
        MemorySegment about = raw.get(ADDRESS, RdmaCmEvent.ID);
        if (code == CmEventType.CONNECT_REQUEST.code()) {
            NativeConnectionId listener = manager.find(raw.get(ADDRESS, RdmaCmEvent.LISTEN_ID));
            return Optional.ofNullable(listener).map(asked -> request(about, asked, raw));
        }
        return Optional.ofNullable(manager.find(about)).map(id -> new NativeCmEvent(id, null, raw));
    }

    /** Creates the event of a connection request. The new connection id and its listener both use this event channel. */
    private NativeCmEvent request(MemorySegment about, NativeConnectionId listener, MemorySegment raw) {
        NativeConnectionId id = new NativeConnectionId(manager, about, this, listener.portSpace(), listener.context());
        NativeCmEvent request = new NativeCmEvent(id, listener, raw);
        manager.adopt(id);
        return request;
    }

    /**
     * Returns the connection id of a connection request, or NULL for another event. If the listener is closed, the caller
     * destroys this connection id to reject the request.
     */
    @SuppressWarnings("restricted") // The segment has the size of the C structure.
    private static MemorySegment requesting(MemorySegment pointer) {
        MemorySegment raw = pointer.reinterpret(RdmaCmEvent.LAYOUT.byteSize());
        return raw.get(JAVA_INT, RdmaCmEvent.EVENT) == CmEventType.CONNECT_REQUEST.code()
                ? raw.get(ADDRESS, RdmaCmEvent.ID)
                : MemorySegment.NULL;
    }

    @Override
    public void close() throws VerbsException {
        boolean closedNow = handle.close(channel -> {
            dependents.requireNone("rdma_destroy_event_channel", this);
            manager.calls().destroyEventChannel(channel);
        });
        if (closedNow) {
            EventLoop reader = loop;
            if (reader != null) {
                reader.remove(this);
            }
            events.close();
        }
    }

    @Override
    public String toString() {
        return handle.toString();
    }
}
