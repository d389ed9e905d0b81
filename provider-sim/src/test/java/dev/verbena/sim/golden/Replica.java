// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.golden;

import dev.verbena.sim.device.SimDevice;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.leak.LeakDetection;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.GlobalRoute;
import dev.verbena.verbs.Guid;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.PostRefusal;
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
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import dev.verbena.wire.RocePacket;
import dev.verbena.wire.Transport;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** A device in the place of one end of a captured connection, with its address, queue pair number, PSNs and keys. */
final class Replica implements AutoCloseable {
    private static final QpCapabilities CAPABILITIES = new QpCapabilities(63, 63, 1, 1, 0);
    private static final int READ_DEPTH = 16;
    private static final int RECEIVE = 1 << 16;
    private static final long LINK_LOCAL = 0xFE80_0000_0000_0000L;

    private final KeyedRuntime runtime = new KeyedRuntime();
    private final Lab lab = new Lab(runtime);
    private final List<RocePacket> sent = new ArrayList<>();
    private final FabricPort peer;
    private final QueuePair queuePair;
    private final SendRequests send;
    private final ReceiveRequests receive;
    private final WorkCompletions completions;
    private final OwnMemory exposed;
    private final MemorySegment local;
    private final MemoryRegion localRegion;
    private final MemoryRegion receiveRegion;
    private final int receiveLength;

    Replica(Role role, int pathMtu, int sendPsn, int receivePsn, long localBytes) throws VerbsException {
        Setting setting = Setting.of(role.capture());
        boolean linkLocal = role.own().high() == LINK_LOCAL;
        SimDevice device = new SimDevice(
                "linux0",
                DeviceProfile.softRoce().toBuilder()
                        .firstQpn(role.ownQpn())
                        .build()
                        .withGuid(new Guid(role.own().low())),
                linkLocal ? List.of() : List.of(role.own()),
                runtime,
                lab.fabric(),
                LeakDetection.OFF);
        Device context = device.open();
        ProtectionDomain domain = context.allocatePd();
        VerbsArena arena = context.newArena();
        exposed = new OwnMemory(role, runtime, domain, arena);
        local = arena.allocatePages(Math.max(1, localBytes));
        localRegion = domain.registerMemory(local, Set.of(AccessFlag.LOCAL_WRITE));
        MemorySegment receives = arena.allocatePages(RECEIVE);
        receiveRegion = setting == Setting.BAD_RECEIVE
                ? domain.registerMemory(receives)
                : domain.registerMemory(receives, AccessFlag.LOCAL_WRITE);
        receiveLength = setting == Setting.SHORT_RECEIVE ? Setting.SHORT : RECEIVE;
        CompletionQueue queue =
                context.createCq(CqInitAttributes.builder().capacity(1000).build());
        completions = queue.newCompletions(100);
        queuePair = domain.createQp(attributes(role, queue));
        send = queuePair.newSendRequests(1);
        receive = queuePair.newReceiveRequests(1);
        connect(role, setting, linkLocal ? 0 : 1, pathMtu, sendPsn, receivePsn);
        exposed.bindWindow(this);
        peer = lab.fabric().attach("peer", List.of(role.peer()), sent::add);
    }

    private static QpInitAttributes attributes(Role role, CompletionQueue queue) {
        return QpInitAttributes.builder()
                .type(role.transport() == Transport.RC ? QpType.RC : QpType.UC)
                .sendCq(queue)
                .receiveCq(queue)
                .capabilities(CAPABILITIES)
                .build();
    }

    private void connect(Role role, Setting setting, int gidIndex, int pathMtu, int sendPsn, int receivePsn)
            throws VerbsException {
        queuePair.modify(QpAttributes.builder()
                .state(QpState.INIT)
                .port(1)
                .pkeyIndex(0)
                .access(Set.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC))
                .build());
        List<RocePacket> own = role.ownPackets();
        AddressVector vector = AddressVector.toGid(role.peer(), gidIndex).toBuilder()
                .route(new GlobalRoute(
                        role.peer(),
                        role.flowLabel(),
                        gidIndex,
                        own.isEmpty() ? 64 : hopLimit(own.getFirst()),
                        own.isEmpty() ? 0 : trafficClass(own.getFirst())))
                .build();
        boolean reliable = role.transport() == Transport.RC;
        QpAttributesBuilder ready = QpAttributes.builder()
                .state(QpState.RTR)
                .addressVector(vector)
                .pathMtu(PathMtu.largestNotAbove(pathMtu).orElseThrow())
                .destinationQpn(role.peerQpn())
                .rqPsn(Psn.of(receivePsn));
        if (reliable) {
            ready.maxDestRdAtomic(READ_DEPTH).minRnrTimer(RnrTimer.ofCode(0));
        }
        queuePair.modify(ready.build());
        QpAttributesBuilder sending = QpAttributes.builder().state(QpState.RTS).sqPsn(Psn.of(sendPsn));
        if (reliable) {
            sending.ackTimeout(setting.timeout())
                    .retryCount(setting.retries())
                    .rnrRetryCount(setting.rnrRetries())
                    .maxRdAtomic(READ_DEPTH);
        }
        queuePair.modify(sending.build());
    }

    private static int hopLimit(RocePacket packet) {
        return packet.ipv6()
                ? packet.ipv6Header().hopLimit()
                : packet.ipv4Header().timeToLive();
    }

    private static int trafficClass(RocePacket packet) {
        return packet.ipv6()
                ? packet.ipv6Header().trafficClass()
                : packet.ipv4Header().trafficClass();
    }

    /** Posts a send request that the queue has room for. */
    void post(Consumer<SendWorkRequest> fill) {
        fill.accept(send.get(0));
        queuePair.postSend(send, 1);
        check(send.refusal());
        lab.settle();
    }

    /** Posts the work request of a message, with its payload at an offset of the local memory. */
    void post(Message message, long offset, boolean fenced) {
        message.store(local, offset);
        post(request -> {
            message.fill(request, localRegion, offset);
            if (fenced) {
                request.fence();
            }
        });
    }

    void receive() {
        receive.get(0).clear().sge(receiveRegion, 0, receiveLength);
        queuePair.postReceive(receive, 1);
        check(receive.refusal());
    }

    private static void check(PostRefusal refusal) {
        if (refusal != PostRefusal.NONE) {
            throw new IllegalStateException("refused: " + refusal);
        }
    }

    /** Passes a packet of the peer to the device, and lets it answer. */
    void arrives(RocePacket packet, int pathMtu) {
        exposed.prepare(packet, pathMtu);
        SimPacket copy = peer.newPacket();
        copy.copyFrom(packet);
        copy.trusted(false);
        peer.send(copy);
        lab.settle();
        queuePair.sendCq().poll(completions);
    }

    /** Lets time pass until the clock has reached a value. */
    void runUntil(long nanos) {
        long missing = nanos - runtime.nanoTime();
        if (missing > 0) {
            lab.run(Duration.ofNanos(missing));
        }
    }

    /** Returns the packets that the device has sent. */
    List<RocePacket> sent() {
        return sent;
    }

    @Override
    public void close() {
        lab.close();
    }
}
