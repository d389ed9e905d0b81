package dev.verbena.ibverbs;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The open arenas of a device, found by the scope of their memory. */
final class Arenas {
    private final NativeDevice device;
    private final Map<MemorySegment.Scope, NativeArena> open = new ConcurrentHashMap<>();

    Arenas(NativeDevice device) {
        this.device = device;
    }

    NativeArena make() {
        NativeArena arena = new NativeArena(this, device.name());
        open.put(arena.scope(), arena);
        device.dependents().add(arena);
        return arena;
    }

    void remove(NativeArena arena) {
        open.remove(arena.scope());
        device.dependents().remove(arena);
    }

    Optional<NativeArena> of(MemorySegment memory) {
        return Optional.ofNullable(open.get(memory.scope()));
    }
}
