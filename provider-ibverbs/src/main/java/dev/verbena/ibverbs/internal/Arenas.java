package dev.verbena.ibverbs.internal;

import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The open arenas of a device, found by the scope of their memory. May be used from several threads. */
public final class Arenas {
    private final String device;
    private final Dependents users;
    private final Map<MemorySegment.Scope, NativeArena> open = new ConcurrentHashMap<>();

    /**
     * Makes an empty record.
     *
     * @param device the device's name
     * @param users what keeps the device open, to which arenas belong
     */
    public Arenas(String device, Dependents users) {
        this.device = device;
        this.users = users;
    }

    /**
     * Makes an arena.
     *
     * @return a new arena
     */
    public NativeArena make() {
        NativeArena arena = new NativeArena(this, device);
        open.put(arena.scope(), arena);
        users.add(arena);
        return arena;
    }

    void remove(NativeArena arena) {
        open.remove(arena.scope());
        users.remove(arena);
    }

    /**
     * Finds the arena of memory that is to be registered.
     *
     * @param memory the memory
     * @param writable whether the device is to write into it
     * @param verb the verb in its C spelling
     * @return its arena
     * @throws VerbsException {@code EINVAL} if it is of no arena of the device, empty, or read-only and to be written
     */
    public NativeArena holding(MemorySegment memory, boolean writable, String verb) throws VerbsException {
        NativeArena arena = open.get(memory.scope());
        if (arena == null) {
            throw Refusals.invalid(
                    verb,
                    (memory.isNative() ? "native" : "heap") + " memory of " + memory.byteSize()
                            + " bytes is not from an arena of " + device + "; allocate it from Device.newArena()");
        }
        if (memory.byteSize() == 0) {
            throw Refusals.invalid(verb, "a region needs at least 1 byte");
        }
        if (memory.isReadOnly() && writable) {
            throw Refusals.invalid(
                    verb, "the memory segment is read-only; register it without LOCAL_WRITE, or the writable one");
        }
        return arena;
    }
}
