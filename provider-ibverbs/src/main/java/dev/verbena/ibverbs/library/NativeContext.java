// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.library;

import dev.verbena.ibverbs.struct.IbvContext;
import java.lang.foreign.MemorySegment;

/** A {@code struct ibv_context}, the functions of libibverbs, and the context's function pointers. */
public final class NativeContext extends NativeObject {
    private final IbvLibrary library;
    private final DataCalls data;
    private final WindowCalls windows;
    private final PortCalls ports;

    @SuppressWarnings("restricted") // The segment has the size of the C structure.
    public NativeContext(String device, IbvLibrary library, MemorySegment context) {
        super("device " + device, context.reinterpret(IbvContext.LAYOUT.byteSize()));
        this.library = library;
        MemorySegment readable = handle().pointer();
        ports = library.tables().ports(readable);
        data = library.tables().data(readable);
        windows = library.tables().windows(readable);
    }

    public IbvLibrary library() {
        return library;
    }

    public DataCalls data() {
        return data;
    }

    public WindowCalls windows() {
        return windows;
    }

    public PortCalls ports() {
        return ports;
    }
}
