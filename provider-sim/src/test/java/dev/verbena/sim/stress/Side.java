// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.stress;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.Psn;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpAttributesBuilder;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.RemoteKey;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection with all its registrations. Any thread collects completions, which are stored here by the id
 * of their request.
 */
final class Side {
    static final int SLOTS = 8;
    static final int RECEIVE_SLOTS = 2 * SLOTS;
    static final int QUEUE = 63;
    /** The least depth to which a completion queue may be resized: the number of requests that can be outstanding. */
    static final int LEAST_CQ = 2 * QUEUE + 2;

    static final int READ_DEPTH = 4;
    static final int INLINE = 128;

    /** Rights that the peer needs on the queue pair. */
    static final Set<AccessFlag> NEEDED = EnumSet.of(
            AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC, AccessFlag.FLUSH_GLOBAL);

    private static final long CONTROL_IDS = 1L << 62;

    /** Memory and the region that covers it. */
    record Registered(SlotMemory memory, MemoryRegion region, Set<AccessFlag> access) {
        long address(int slot) {
            return region.address() + memory.offset(slot);
        }

        int rkey() {
            return region.rkey();
        }
    }

    /** A completion. */
    record Done(long id, WorkCompletionStatus status, long length, int data) {}

    /** Memory of a device, which is used by successive connections. */
    static final class Memories implements AutoCloseable {
        /** The device's number. */
        final int host;

        final Device device;
        final VerbsArena arena;
        final SlotMemory source;
        final SlotMemory target;
        final SlotMemory landing;
        final SlotMemory receiving;
        final SlotMemory words;
        final SlotMemory readable;

        Memories(StressFabric.Place place, int host, long mostBytes) throws VerbsException {
            this.host = host;
            device = place.open(host);
            arena = device.newArena();
            long slot = SlotMemory.slotFor(mostBytes);
            source = new SlotMemory("source", arena, SLOTS, slot);
            target = new SlotMemory("target", arena, SLOTS, slot);
            landing = new SlotMemory("landing", arena, SLOTS, slot);
            receiving = new SlotMemory("receiving", arena, RECEIVE_SLOTS, slot);
            words = new SlotMemory("words", arena, SLOTS, Long.BYTES);
            readable = new SlotMemory("readable", arena, 1, slot);
        }

        @Override
        public void close() throws VerbsException {
            arena.close();
            device.close();
        }
    }

    final int number;
    final int host;
    final Device device;
    final ProtectionDomain domain;
    final CompletionQueue sendCq;
    final CompletionQueue receiveCq;
    final @Nullable SharedReceiveQueue srq;
    final QueuePair qp;
    final Registered source;
    final Registered target;
    final Registered landing;
    final Registered receiving;
    final Registered words;
    final Registered readable;
    /**
     * Windows of type 2: over the target for the peer's WRITEs, over the target unused, and for SENDs with invalidate.
     */
    final MemoryWindow targetWindow;

    final MemoryWindow spareWindow;
    final MemoryWindow invalidatedWindow;
    final MemoryWindow firstTypeWindow;

    /** Whether the peer writes to the target by the window's key instead of the region's. */
    private boolean byWindow;

    private final Map<Long, Done> done = new ConcurrentHashMap<>();
    final Queue<Done> received = new ConcurrentLinkedQueue<>();
    private final WorkCompletions sends;
    private final WorkCompletions receives;
    private final SendRequests control;
    private final ReceiveRequests receiveRequest;
    private final List<VerbsArena> otherMemory = new ArrayList<>();
    private long controlId = CONTROL_IDS;

    Side(int number, Memories memories, QpType type, boolean shared) throws VerbsException {
        this.number = number;
        host = memories.host;
        device = memories.device;
        domain = device.allocatePd();
        sendCq = device.createCq(CqInitAttributes.ofCapacity(4 * QUEUE));
        receiveCq = device.createCq(CqInitAttributes.ofCapacity(4 * QUEUE));
        sends = sendCq.newCompletions(16);
        receives = receiveCq.newCompletions(16);
        srq = shared
                ? domain.createSrq(
                        SrqInitAttributes.builder().maxWr(QUEUE).maxSge(3).build())
                : null;
        qp = domain.createQp(QpInitAttributes.builder()
                .type(type)
                .sendCq(sendCq)
                .receiveCq(receiveCq)
                .srq(srq)
                .capabilities(new QpCapabilities(QUEUE, shared ? 0 : QUEUE, 3, shared ? 0 : 3, INLINE))
                .build());
        source = register(memories.source, AccessFlag.LOCAL_WRITE);
        target = register(
                memories.target,
                AccessFlag.LOCAL_WRITE,
                AccessFlag.REMOTE_WRITE,
                AccessFlag.FLUSH_GLOBAL,
                AccessFlag.MW_BIND);
        landing = register(memories.landing, AccessFlag.LOCAL_WRITE);
        receiving = register(memories.receiving, AccessFlag.LOCAL_WRITE);
        words = register(
                memories.words,
                AccessFlag.LOCAL_WRITE,
                AccessFlag.REMOTE_WRITE,
                AccessFlag.REMOTE_ATOMIC,
                AccessFlag.FLUSH_GLOBAL);
        readable = register(memories.readable, AccessFlag.REMOTE_READ);
        targetWindow = domain.allocateMw(MemoryWindowType.TYPE_2);
        spareWindow = domain.allocateMw(MemoryWindowType.TYPE_2);
        invalidatedWindow = domain.allocateMw(MemoryWindowType.TYPE_2);
        firstTypeWindow = domain.allocateMw(MemoryWindowType.TYPE_1);
        control = qp.newSendRequests(1);
        receiveRequest = srq == null ? qp.newReceiveRequests(1) : srq.newReceiveRequests(1);
    }

    private Registered register(SlotMemory memory, AccessFlag... access) throws VerbsException {
        Set<AccessFlag> rights = Set.of(access);
        return new Registered(memory, domain.registerMemory(memory.memory(), rights), rights);
    }

    List<Registered> regions() {
        return List.of(source, target, landing, receiving, words, readable);
    }

    void connect(Gid peer, int peerQpn, PathMtu mtu, AckTimeout timeout, int sendPsn, int receivePsn)
            throws VerbsException {
        boolean reliable = qp.type() == QpType.RC;
        qp.modify(QpAttributes.builder()
                .state(QpState.INIT)
                .port(1)
                .pkeyIndex(0)
                .access(NEEDED)
                .build());
        QpAttributesBuilder toRtr = QpAttributes.builder()
                .state(QpState.RTR)
                .addressVector(AddressVector.toGid(peer, 1))
                .pathMtu(mtu)
                .destinationQpn(peerQpn)
                .rqPsn(Psn.of(receivePsn));
        QpAttributesBuilder toRts = QpAttributes.builder().state(QpState.RTS).sqPsn(Psn.of(sendPsn));
        if (reliable) {
            toRtr.maxDestRdAtomic(READ_DEPTH).minRnrTimer(RnrTimer.ofCode(1));
            toRts.ackTimeout(timeout)
                    .retryCount(7)
                    .rnrRetryCount(RnrRetryCount.FOREVER)
                    .maxRdAtomic(READ_DEPTH);
        }
        qp.modify(toRtr.build());
        qp.modify(toRts.build());
    }

    /** Returns the key by which the peer writes to the target. */
    int targetKey() {
        return byWindow ? targetWindow.rkey() : target.rkey();
    }

    boolean isByWindow() {
        return byWindow;
    }

    /** Makes the peer use the window's key after it is bound. */
    void useWindow() {
        byWindow = true;
    }

    /** Posts the binding of a window of type 2 to all of the target. Returns the id, or 0 if the queue was full. */
    synchronized long postBind(MemoryWindow window) {
        MemoryWindowBinding binding = new MemoryWindowBinding(
                target.region(), 0, target.region().length(), EnumSet.of(AccessFlag.REMOTE_WRITE));
        control.get(0)
                .bindMemoryWindow(window, RemoteKey.increment(window.rkey()), binding)
                .id(++controlId)
                .signaled();
        return qp.postSend(control, 1) == 1 ? controlId : 0;
    }

    /** Posts the invalidation of a window of type 2. Returns the id, or 0 if the queue was full. */
    synchronized long postInvalidate(MemoryWindow window) {
        control.get(0).localInvalidate(window.rkey()).id(++controlId).signaled();
        return qp.postSend(control, 1) == 1 ? controlId : 0;
    }

    /** Posts the binding of the window of type 1. Returns the id. */
    synchronized long bindFirstType() throws VerbsException {
        qp.bindMemoryWindow(
                firstTypeWindow,
                new MemoryWindowBinding(
                        target.region(), 0, target.region().length(), EnumSet.of(AccessFlag.REMOTE_WRITE)),
                ++controlId);
        return controlId;
    }

    /** Makes memory that a region may be moved to. */
    MemorySegment newMemory(long bytes) {
        VerbsArena arena = device.newArena();
        otherMemory.add(arena);
        return arena.allocate(bytes, 4096);
    }

    /** Posts a receive; false if it was refused. */
    boolean postReceive(Message.Receive receive) {
        var request = receiveRequest.get(0).clear().id(receive.id());
        long begin = receiving.memory().offset(receive.slot());
        for (SlotMemory.Piece piece : receive.pieces()) {
            request.sge(receiving.region(), begin + piece.offset(), piece.length());
        }
        int taken = srq == null ? qp.postReceive(receiveRequest, 1) : srq.postReceive(receiveRequest, 0, 1);
        return taken == 1;
    }

    /** Polls all completions. */
    synchronized void collect() {
        while (sendCq.poll(sends) > 0) {
            for (int i = 0; i < sends.count(); i++) {
                WorkCompletion completion = sends.get(i);
                done.put(completion.workRequestId(), of(completion));
            }
        }
        while (receiveCq.poll(receives) > 0) {
            for (int i = 0; i < receives.count(); i++) {
                received.add(of(receives.get(i)));
            }
        }
    }

    private static Done of(WorkCompletion completion) {
        boolean success = completion.isSuccess();
        int data = 0;
        if (success && completion.hasImmediateData()) {
            data = completion.immediateData();
        } else if (success && completion.hasInvalidatedRkey()) {
            data = completion.invalidatedRkey();
        }
        return new Done(completion.workRequestId(), completion.status(), success ? completion.byteLength() : 0, data);
    }

    /** Takes the completion of a request, or null if it has none yet. */
    @Nullable Done take(long id) {
        return done.remove(id);
    }

    boolean isDone(long id) {
        return done.containsKey(id);
    }

    /** Closes all objects except for the queue pair, which must already be closed. */
    void close() throws VerbsException {
        for (MemoryWindow window : List.of(targetWindow, spareWindow, invalidatedWindow, firstTypeWindow)) {
            window.close();
        }
        for (Registered each : regions()) {
            each.region().close();
        }
        if (srq != null) {
            srq.close();
        }
        sendCq.close();
        receiveCq.close();
        otherMemory.forEach(VerbsArena::close);
        domain.close();
    }
}
