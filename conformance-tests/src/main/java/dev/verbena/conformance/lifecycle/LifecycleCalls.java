// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.lifecycle;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.Notification;
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
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttributes;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** The verbs calls that one thread makes on shared verbs objects, which may be open or closed. */
final class LifecycleCalls {
    static final Gid GROUP = Gid.parse("239.1.2.3");

    private static final int QKEY = 0x1111_1111;
    private static final int QUEUE = 8;
    private static final int BYTES = 4096;
    private static final Duration SHORT = Duration.ofMillis(1);

    private final Device device;
    private final GidEntry source;
    private final Pool pool;
    private final SplittableRandom random;

    LifecycleCalls(Device device, GidEntry source, Pool pool, SplittableRandom random) {
        this.device = device;
        this.source = source;
        this.pool = pool;
        this.random = random;
    }

    record Memory(VerbsArena arena, MemorySegment bytes) implements AutoCloseable {
        @Override
        public void close() {
            arena.close();
        }
    }

    interface Call {
        void make() throws Exception;
    }

    /**
     * Returns the verbs calls from which {@link RandomLifecycles} chooses at random. A verbs call that is to be chosen more
     * often than others is in the list several times.
     */
    List<Call> all() {
        List<Call> making = List.of(
                this::allocateDomain,
                this::createQueue,
                this::createChannel,
                this::allocate,
                this::register,
                this::createQueuePair,
                this::createShared,
                this::createHandle,
                this::allocateWindow);
        List<Call> using = List.of(
                this::connect,
                this::connect,
                this::modify,
                this::query,
                this::send,
                this::send,
                this::receive,
                this::receiveShared,
                this::poll,
                this::poll,
                this::arm,
                this::await,
                this::events,
                this::resize,
                this::reregister,
                this::bind,
                this::join,
                this::leave,
                this::touch,
                this::ask,
                this::close,
                this::close,
                this::close);
        Stream<Call> carefully = making.stream().map(call -> () -> {
            requireRoom();
            call.make();
        });
        return Stream.concat(carefully, using.stream()).toList();
    }

    private <T extends AutoCloseable> void keep(Class<T> type, T made) throws Exception {
        Optional<AutoCloseable> goes = pool.add(type, made, random);
        if (goes.isPresent()) {
            closeOrRetire(goes.get());
        }
    }

    private void closeOrRetire(AutoCloseable object) throws Exception {
        boolean closed = false;
        try {
            object.close();
            closed = true;
        } finally {
            if (!closed) {
                pool.retire(object);
            }
        }
    }

    /**
     * Throws an exception if too many verbs objects could not be closed, so that the caller creates no new object. Before
     * this method throws the exception, it tries again to close one of the objects whose close failed.
     */
    private void requireRoom() throws Exception {
        if (pool.isFull()) {
            Optional<AutoCloseable> retired = pool.anyRetired(random);
            if (retired.isPresent()) {
                leaveGroup(retired.get());
                closeOrRetire(retired.get());
            }
            throw new IllegalStateException("enough of them");
        }
    }

    /** Detaches a queue pair from the multicast group {@link #GROUP}. Returns the exception if the detach failed. */
    static Optional<Exception> leaveGroup(AutoCloseable object) {
        if (object instanceof QueuePair queuePair) {
            try {
                queuePair.detachMulticast(GROUP, 0);
            } catch (VerbsException | IllegalStateException refusal) {
                return Optional.of(refusal);
            }
        }
        return Optional.empty();
    }

    private <T> T any(Class<T> type) {
        return pool.any(type, random).orElseThrow(() -> new IllegalStateException("none yet"));
    }

    private void allocateDomain() throws Exception {
        keep(ProtectionDomain.class, device.allocatePd());
    }

    private void createQueue() throws Exception {
        CqInitAttributes.Builder attributes = CqInitAttributes.builder().capacity(2 * QUEUE);
        switch (random.nextInt(3)) {
            case 0 -> attributes.channel(any(CompletionChannel.class));
            case 1 -> attributes.handler(queue -> queue.requestNotification(Notification.NEXT_COMPLETION));
            default -> {}
        }
        keep(CompletionQueue.class, device.createCq(attributes.build()));
    }

    private void createChannel() throws Exception {
        keep(CompletionChannel.class, device.createCompletionChannel());
    }

    private void allocate() throws Exception {
        VerbsArena arena = device.newArena();
        keep(Memory.class, new Memory(arena, arena.allocate(BYTES)));
    }

    private void register() throws Exception {
        keep(
                MemoryRegion.class,
                any(ProtectionDomain.class).registerMemory(any(Memory.class).bytes(), rights()));
    }

    private Set<AccessFlag> rights() {
        return random.nextBoolean()
                ? Set.of(
                        AccessFlag.LOCAL_WRITE,
                        AccessFlag.REMOTE_WRITE,
                        AccessFlag.REMOTE_READ,
                        AccessFlag.REMOTE_ATOMIC,
                        AccessFlag.MW_BIND)
                : Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    }

    private void createQueuePair() throws Exception {
        QpType type = random.nextInt(4) > 0 ? QpType.RC : QpType.values()[random.nextInt(QpType.values().length)];
        QpInitAttributes.Builder attributes = QpInitAttributes.builder()
                .type(type)
                .sendCq(any(CompletionQueue.class))
                .receiveCq(any(CompletionQueue.class))
                .capabilities(QpCapabilities.of(QUEUE, QUEUE));
        if (random.nextInt(4) == 0) {
            attributes.srq(any(SharedReceiveQueue.class));
        }
        keep(QueuePair.class, any(ProtectionDomain.class).createQp(attributes.build()));
    }

    private void createShared() throws Exception {
        keep(
                SharedReceiveQueue.class,
                any(ProtectionDomain.class)
                        .createSrq(SrqInitAttributes.builder()
                                .maxWr(QUEUE)
                                .maxSge(1)
                                .build()));
    }

    private void createHandle() throws Exception {
        Gid to = random.nextInt(4) == 0 ? GROUP : source.gid();
        keep(AddressHandle.class, any(ProtectionDomain.class).createAh(path(to)));
    }

    private AddressVector path(Gid to) {
        return AddressVector.toGid(to, source.index()).toBuilder()
                .port(source.port())
                .build();
    }

    private void allocateWindow() throws Exception {
        keep(
                MemoryWindow.class,
                any(ProtectionDomain.class)
                        .allocateMw(random.nextBoolean() ? MemoryWindowType.TYPE_1 : MemoryWindowType.TYPE_2));
    }

    /** Connects two queue pairs: modifies each from RESET to RTS, and stops at the first modify that fails. */
    private void connect() throws VerbsException {
        QueuePair one = any(QueuePair.class);
        QueuePair other = random.nextInt(4) == 0 ? one : any(QueuePair.class);
        rise(one, other);
        rise(other, one);
    }

    private void rise(QueuePair queuePair, QueuePair peer) throws VerbsException {
        for (QpState state : List.of(QpState.RESET, QpState.INIT, QpState.RTR, QpState.RTS)) {
            queuePair.modify(step(queuePair, peer, state));
        }
    }

    private QpAttributes step(QueuePair queuePair, QueuePair peer, QpState state) {
        QpAttributesBuilder attributes = QpAttributes.builder().state(state);
        boolean datagrams = queuePair.type() == QpType.UD;
        boolean reliable = queuePair.type() == QpType.RC;
        switch (state) {
            case INIT -> {
                attributes.port(source.port()).pkeyIndex(0);
                if (datagrams) {
                    attributes.qkey(QKEY);
                } else {
                    attributes.access(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);
                }
            }
            case RTR -> {
                if (!datagrams) {
                    attributes
                            .addressVector(path(source.gid()))
                            .pathMtu(PathMtu.MTU_256)
                            .destinationQpn(peer.number())
                            .rqPsn(Psn.ZERO);
                }
                if (reliable) {
                    attributes.maxDestRdAtomic(1).minRnrTimer(RnrTimer.ofCode(1));
                }
            }
            case RTS -> {
                attributes.sqPsn(Psn.ZERO);
                if (reliable) {
                    attributes
                            .ackTimeout(AckTimeout.ofCode(14))
                            .retryCount(1)
                            .rnrRetryCount(RnrRetryCount.ofCode(1))
                            .maxRdAtomic(1);
                }
            }
            case RESET, SQD, SQE, ERR -> {}
        }
        return attributes.build();
    }

    private void modify() throws VerbsException {
        QueuePair queuePair = any(QueuePair.class);
        QpState[] states = QpState.values();
        queuePair.modify(step(queuePair, any(QueuePair.class), states[random.nextInt(states.length)]));
    }

    private void query() throws VerbsException {
        QueuePair queuePair = any(QueuePair.class);
        queuePair.query();
        queuePair.state();
        queuePair.explain();
    }

    private void send() {
        QueuePair queuePair = any(QueuePair.class);
        SendRequests batch = queuePair.newSendRequests(1 + random.nextInt(4));
        for (int i = 0; i < batch.capacity(); i++) {
            fill(batch.get(i).id(i));
        }
        queuePair.postSend(batch, batch.capacity());
    }

    private void fill(SendWorkRequest request) {
        MemoryRegion target = any(MemoryRegion.class);
        long at = target.address() + random.nextInt(BYTES);
        int key = target.rkey();
        switch (random.nextInt(8)) {
            case 0 -> request.rdmaWrite(at, key);
            case 1 -> request.rdmaRead(at, key);
            case 2 -> request.fetchAndAdd(target.address(), key, 1);
            case 3 -> request.sendWithInvalidate(key);
            case 4 -> request.localInvalidate(key);
            case 5 -> request.bindMemoryWindow(any(MemoryWindow.class), key + 1, binding());
            case 6 -> request.send().inline();
            default -> request.send();
        }
        if (random.nextBoolean()) {
            request.signaled();
        }
        request.sge(any(MemoryRegion.class), random.nextInt(BYTES), 1 + random.nextInt(8));
        if (random.nextInt(4) == 0) {
            request.to(any(AddressHandle.class), any(QueuePair.class).number(), QKEY);
        }
    }

    private MemoryWindowBinding binding() {
        return new MemoryWindowBinding(
                any(MemoryRegion.class), random.nextInt(BYTES), 8, Set.of(AccessFlag.REMOTE_WRITE));
    }

    private void receive() {
        QueuePair queuePair = any(QueuePair.class);
        queuePair.postReceive(filled(queuePair.newReceiveRequests(2)), 2);
    }

    private void receiveShared() {
        SharedReceiveQueue shared = any(SharedReceiveQueue.class);
        shared.postReceive(filled(shared.newReceiveRequests(2)), 0, 2);
    }

    private ReceiveRequests filled(ReceiveRequests batch) {
        for (int i = 0; i < batch.capacity(); i++) {
            batch.get(i).clear().id(i).sge(any(MemoryRegion.class), 0, 64);
        }
        return batch;
    }

    private void poll() {
        CompletionQueue queue = any(CompletionQueue.class);
        WorkCompletions found = queue.newCompletions(4);
        int count = queue.poll(found);
        for (int i = 0; i < count; i++) {
            found.get(i).status();
        }
    }

    private void arm() {
        any(CompletionQueue.class)
                .requestNotification(random.nextBoolean() ? Notification.NEXT_COMPLETION : Notification.SOLICITED_ONLY);
    }

    private void await() throws VerbsException, InterruptedException {
        any(CompletionChannel.class).await(SHORT);
    }

    private void events() throws VerbsException, InterruptedException {
        device.asyncEvents().poll();
        device.asyncEvents().await(SHORT);
    }

    private void resize() throws VerbsException {
        if (random.nextBoolean()) {
            any(CompletionQueue.class).resize(QUEUE + random.nextInt(4 * QUEUE));
        } else {
            any(SharedReceiveQueue.class).resize(1 + random.nextInt(4 * QUEUE));
        }
    }

    private void reregister() throws VerbsException {
        any(MemoryRegion.class)
                .reregister(
                        random.nextBoolean() ? any(ProtectionDomain.class) : null,
                        random.nextBoolean() ? any(Memory.class).bytes() : null,
                        random.nextBoolean() ? rights() : null);
    }

    private void bind() throws VerbsException {
        any(QueuePair.class).bindMemoryWindow(any(MemoryWindow.class), binding(), 1);
    }

    private void join() throws VerbsException {
        any(QueuePair.class).attachMulticast(GROUP, 0);
    }

    private void leave() throws VerbsException {
        any(QueuePair.class).detachMulticast(GROUP, 0);
    }

    private void touch() {
        MemorySegment bytes = any(Memory.class).bytes();
        bytes.fill((byte) random.nextInt());
    }

    private void ask() throws VerbsException {
        device.queryPort(source.port());
        device.gidTable(source.port());
        any(SharedReceiveQueue.class).query();
    }

    private void close() throws Exception {
        List<Class<? extends AutoCloseable>> types = List.of(
                QueuePair.class,
                QueuePair.class,
                MemoryRegion.class,
                MemoryWindow.class,
                AddressHandle.class,
                SharedReceiveQueue.class,
                CompletionQueue.class,
                CompletionChannel.class,
                ProtectionDomain.class,
                Memory.class);
        any(types.get(random.nextInt(types.size()))).close();
    }
}
