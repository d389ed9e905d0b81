// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryLifetime;
import dev.verbena.verbs.MrInitAttributes;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A memory segment that passed {@code check}, which every provider calls before a registration. While a memory region is
 * registered, the provider keeps its {@code RegistrableMemory} reachable, and thereby the memory segment. Immutable.
 *
 * @since 1.0
 */
public final class RegistrableMemory {
    /** This thread owns no arena, so it cannot access the memory of any confined arena. */
    private static final Thread OTHER_THREAD = new Thread(() -> {}, "never started");

    private final MemorySegment segment;
    private final MemoryLifetime lifetime;
    private final @Nullable ProviderArena arena;

    private RegistrableMemory(MemorySegment segment, MemoryLifetime lifetime, @Nullable ProviderArena arena) {
        this.segment = segment;
        this.lifetime = lifetime;
        this.arena = arena;
    }

    /**
     * Checks the memory segment of a new memory region.
     *
     * @param attributes the memory segment, its lifetime guarantee and the access rights of the new memory region
     * @param verb the C name of the verb, for exception messages
     * @return the checked memory
     * @throws VerbsException {@code EINVAL} if the segment cannot be registered, for example because it is on the Java
     *     heap; {@link #check(MemorySegment, MemoryLifetime, Set, String)} lists all cases
     */
    public static RegistrableMemory check(MrInitAttributes attributes, String verb) throws VerbsException {
        return check(attributes.memory(), attributes.lifetime(), attributes.access(), verb);
    }

    /**
     * Checks a memory segment before its registration.
     *
     * @param segment the memory segment
     * @param lifetime the lifetime guarantee that the application has declared for the memory segment
     * @param access the access rights of the region
     * @param verb the C name of the verb, for exception messages
     * @return the checked memory
     * @throws VerbsException {@code EINVAL} if the segment is on the Java heap, if its arena is confined or closed, or if
     *     the segment is empty. The lifetime guarantee VERBS_ARENA causes {@code EINVAL} if no {@link ProviderArena}
     *     allocated the segment. A read-only segment with LOCAL_WRITE causes {@code EINVAL}
     */
    public static RegistrableMemory check(
            MemorySegment segment, MemoryLifetime lifetime, Set<AccessFlag> access, String verb) throws VerbsException {
        long size = segment.byteSize();
        if (!segment.isNative()) {
            throw refuse(
                    verb,
                    "heap memory of " + size
                            + " bytes cannot be registered, as the garbage collector moves it; use a direct buffer or Device.newArena()");
        }
        if (!segment.isAccessibleBy(OTHER_THREAD)) {
            throw refuse(
                    verb,
                    "memory of " + size + " bytes belongs to a confined arena, which device threads cannot access; "
                            + "use a shared arena or Device.newArena()");
        }
        if (!segment.scope().isAlive()) {
            throw refuse(verb, "the arena of the memory of " + size + " bytes is closed");
        }
        ProviderArena arena = ProviderArena.of(segment);
        if (arena == null && lifetime == MemoryLifetime.VERBS_ARENA) {
            throw refuse(
                    verb,
                    "native memory of " + size + " bytes is not from Device.newArena(), so its lifetime is unknown; "
                            + "state it in MrInitAttributes: REACHABLE if the garbage collector frees it, "
                            + "CALLER_KEEPS_ALIVE if its arena stays open until the region is closed");
        }
        if (size == 0) {
            throw refuse(verb, "a region needs at least 1 byte");
        }
        if (segment.isReadOnly() && access.contains(AccessFlag.LOCAL_WRITE)) {
            throw refuse(verb, "the memory segment is read-only; omit LOCAL_WRITE, or pass the writable segment");
        }
        return new RegistrableMemory(segment, lifetime, arena);
    }

    private static VerbsException refuse(String verb, String why) {
        return new VerbsException(Errno.EINVAL, verb, why);
    }

    /** {@return the segment that the application registers} */
    public MemorySegment segment() {
        return segment;
    }

    /** {@return the lifetime guarantee that the application declared for the memory segment} */
    public MemoryLifetime lifetime() {
        return lifetime;
    }

    /** {@return the {@link ProviderArena} that allocated the memory, or null; {@link #hold} keeps this arena open} */
    public @Nullable ProviderArena arena() {
        return arena;
    }

    /**
     * If a {@link ProviderArena} allocated the memory, {@code hold} keeps the arena open until {@link #release} is called.
     *
     * @param region a region or a registration call, for which the arena stays open; the arena compares these objects by
     *     identity
     * @return whether the arena of the memory is open; false if the arena is already closed
     */
    public boolean hold(Object region) {
        return arena == null ? segment.scope().isAlive() : arena.hold(region);
    }

    /**
     * Removes the hold that {@link #hold} set for an object. The object no longer prevents the closing of the arena.
     *
     * @param region the argument of {@link #hold}
     */
    public void release(Object region) {
        if (arena != null) {
            arena.release(region);
        }
    }

    /**
     * Returns whether this memory segment and another one belong to the same {@link ProviderArena}.
     *
     * @param other the other memory segment
     * @return whether both memory segments have the same {@link #arena}; true also if neither segment has an arena
     */
    @SuppressWarnings("ReferenceEquality")
    public boolean isOfArenaOf(RegistrableMemory other) {
        return arena == other.arena;
    }

    /**
     * {@return whether the memory can disappear while a region over the memory is registered; false for memory of a {@link
     * ProviderArena}. An application can free memory that comes from no {@code ProviderArena}, and can truncate a mapped
     * file}
     */
    public boolean mayVanish() {
        return arena == null;
    }

    /** {@return whether the arena of the memory was closed; memory of a closed arena must not be accessed} */
    public boolean isClosed() {
        return !segment.scope().isAlive();
    }

    /**
     * Throws an exception if the arena of the memory segment was closed while the memory region was registered. A provider
     * calls this method after it closed a region of a hardware device.
     *
     * @param region the closed region
     * @param verb the C name of the verb, for exception messages
     * @throws VerbsException {@code EFAULT} if the arena of the memory segment was closed
     */
    public void requireOutlived(Object region, String verb) throws VerbsException {
        if (isClosed()) {
            throw new VerbsException(
                    Errno.EFAULT,
                    verb,
                    region
                            + " is closed, but the arena of its memory was closed first, so the device could access "
                            + "memory that was reused meanwhile; close the region before the arena");
        }
    }

    @Override
    public String toString() {
        return segment.byteSize() + " bytes of lifetime " + lifetime;
    }
}
