// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.data;

import dev.verbena.ibverbs.internal.Dependents;
import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.ibverbs.library.NativeContext;
import dev.verbena.ibverbs.library.NativeHandle;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.library.QueuePairCalls;
import dev.verbena.ibverbs.struct.IbvAhAttr;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** An address handle of libibverbs. */
public final class NativeAh implements AddressHandle {
    private static final String CURE = "check the port and the GID index; a RoCE port needs a global route";
    private static final long GRH_BYTES = 40;

    private final ProtectionDomain domain;
    private final Dependents siblings;
    private final QueuePairCalls calls;
    private final AddressVector vector;
    private final NativeHandle handle;

    private NativeAh(
            ProtectionDomain domain,
            Dependents siblings,
            QueuePairCalls calls,
            AddressVector vector,
            MemorySegment ah) {
        this.domain = domain;
        this.siblings = siblings;
        this.calls = calls;
        this.vector = vector;
        handle = new NativeHandle("address handle of the " + domain, ah);
    }

    /**
     * Creates an address handle. The caller must prevent the destruction of the protection domain during the call. Then the
     * caller must add the address handle to {@code siblings}, the objects that depend on the protection domain.
     */
    public static NativeAh create(
            ProtectionDomain domain,
            Dependents siblings,
            QueuePairCalls calls,
            MemorySegment pd,
            AddressVector vector,
            String verb)
            throws VerbsException {
        if (vector.route().isEmpty() && domain.device().queryPort(vector.port()).linkLayer() == LinkLayer.ETHERNET) {
            throw Refusals.invalid(verb, "port " + vector.port() + " is Ethernet; add a global route to the path");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment raw = arena.allocate(IbvAhAttr.LAYOUT);
            PathCodec.write(raw, 0, vector);
            MemorySegment ah = Outcome.make(
                    verb,
                    "creating an address handle for " + vector,
                    CURE,
                    callState -> calls.createAh(callState, pd, raw));
            return new NativeAh(domain, siblings, calls, vector, ah);
        }
    }

    /** Returns the path to the sender of a received datagram (ibv_init_ah_from_wc(3)). */
    public static AddressVector pathBack(
            Device device, NativeContext context, int port, WorkCompletion completion, MemorySegment grh)
            throws VerbsException {
        String verb = "ibv_create_ah_from_wc";
        MemorySegment wc =
                Refusals.own(NativeCompletion.class, completion, verb, device).raw();
        if (!completion.hasGlobalRoute() && device.queryPort(port).linkLayer() == LinkLayer.ETHERNET) {
            throw Refusals.invalid(
                    verb, "the completion carries no global routing header, and port " + port + " needs one");
        }
        if (grh.byteSize() < GRH_BYTES) {
            throw Refusals.invalid(verb, "a global routing header has 40 bytes, not " + grh.byteSize());
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment raw = arena.allocate(IbvAhAttr.LAYOUT);
            MemorySegment header = arena.allocate(GRH_BYTES, Long.BYTES);
            MemorySegment.copy(grh, 0, header, 0, GRH_BYTES);
            context.whileOpen(open -> {
                Outcome.check(
                        verb,
                        "resolving the path to the sender of a datagram",
                        CURE,
                        callState -> context.library()
                                .queuePairs()
                                .initAhFromWc(callState, open, port & 0xFF, wc, header, raw));
                return raw;
            });
            return PathCodec.read(raw, 0);
        }
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public AddressVector vector() {
        return vector;
    }

    NativeHandle handle() {
        return handle;
    }

    @Override
    public void close() throws VerbsException {
        boolean closedNow = handle.close(ah -> Outcome.destroy(
                "ibv_destroy_ah", "closing the " + this, "try again", callState -> calls.destroyAh(callState, ah)));
        if (closedNow) {
            siblings.remove(this);
        }
    }

    @Override
    public String toString() {
        return handle.toString();
    }
}
