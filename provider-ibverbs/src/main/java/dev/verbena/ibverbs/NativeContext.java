package dev.verbena.ibverbs;

import dev.verbena.ibverbs.struct.IbvContext;
import java.lang.foreign.MemorySegment;

/** A {@code struct ibv_context}, with the library's functions and those that are reached only through it. */
final class NativeContext extends NativeObject {
    private final IbvLibrary library;
    private final DataCalls data;
    private final WindowCalls windows;
    private final PortCalls ports;

    @SuppressWarnings("restricted") // The size is the header's.
    NativeContext(String device, IbvLibrary library, MemorySegment context) {
        super("device " + device, context.reinterpret(IbvContext.LAYOUT.byteSize()));
        this.library = library;
        MemorySegment readable = handle().pointer();
        ports = library.tables().ports(readable);
        data = library.tables().data(readable);
        windows = library.tables().windows(readable);
    }

    IbvLibrary library() {
        return library;
    }

    DataCalls data() {
        return data;
    }

    WindowCalls windows() {
        return windows;
    }

    PortCalls ports() {
        return ports;
    }
}
