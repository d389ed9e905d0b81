// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.sim.cm.engine.MadMutations;
import dev.verbena.sim.cm.engine.Requests;
import dev.verbena.sim.device.SimDevice;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.fixture.Sweep;
import dev.verbena.sim.leak.LeakDetection;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Guid;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The same attack from outside: a listening device gets the hostile MADs in packets, while its user continues to work.
 */
class CmDeviceFuzzTest {
    private static final int PORT = 987;
    private static final int MADS = 2000;
    private static final int USUAL_SWEEP = 1_000_000;
    private static final Duration PATIENCE = Duration.ofSeconds(100);
    private static final Gid HOSTILE = Gid.parse("10.0.0.1");
    private static final Gid VICTIM = Gid.parse("10.0.0.2");

    @Property(tries = 5, shrinking = ShrinkingMode.OFF)
    void aListeningDeviceSurvives(@ForAll long seed) throws Exception {
        attack(seed);
    }

    /** The seed of each attack is its number. */
    @Test
    @Tag("sweep")
    void aListeningDeviceSurvivesAMillion() throws Exception {
        int attacks = Sweep.amount("device.mads", USUAL_SWEEP) / MADS;
        for (int seed = 1; seed <= attacks; seed++) {
            attack(seed);
        }
    }

    private static SimDevice device(VirtualRuntime runtime, InProcessFabric fabric, String name, Gid gid)
            throws VerbsException {
        DeviceProfile profile = DeviceProfile.specification().withGuid(new Guid(gid.low()));
        return new SimDevice(name, profile, List.of(gid), runtime, fabric, LeakDetection.COUNTED);
    }

    private static void attack(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        try (VirtualRuntime runtime = new VirtualRuntime(seed)) {
            InProcessFabric fabric = new InProcessFabric(runtime);
            SimDevice hostile = device(runtime, fabric, "hostile", HOSTILE);
            SimDevice victim = device(runtime, fabric, "victim", VICTIM);
            ConnectionManager manager = new SimConnectionManager(runtime, () -> List.of(victim));
            EventChannel channel = manager.createEventChannel();
            ConnectionId connections = listen(manager, channel, PortSpace.TCP);
            ConnectionId datagrams = listen(manager, channel, PortSpace.UDP);

            List<MemorySegment> seen = new ArrayList<>();
            hostile.madPort().receiver((source, destination, mad) -> seen.add(copy(mad)));
            seen.add(request(random));
            seen.add(sidrRequest(random));
            List<ConnectionId> taken = new ArrayList<>();
            for (int i = 0; i < MADS; i++) {
                if (random.nextInt(10) == 0) {
                    seen.add(random.nextBoolean() ? request(random) : sidrRequest(random));
                }
                byte[] mad = MadMutations.bytes(seen.get(random.nextInt(seen.size())), random);
                hostile.madPort().send(HOSTILE, VICTIM, MemorySegment.ofArray(mad));
                runtime.await(() -> false, Duration.ofMillis(random.nextInt(50)));
                react(channel, taken, random);
            }
            for (ConnectionId id : taken) {
                id.close();
            }
            channel.poll().ifPresent(CmEvent::close);

            honestPeersAreServed(runtime, fabric, channel, random);
            connections.close();
            datagrams.close();
            assertThat(victim.openObjects()).isEmpty();
        }
    }

    private static ConnectionId listen(ConnectionManager manager, EventChannel channel, PortSpace portSpace)
            throws VerbsException {
        ConnectionId listener = manager.createId(channel, portSpace, null);
        listener.bind(new InetSocketAddress(VICTIM.toAddress(), PORT));
        listener.listen(100);
        return listener;
    }

    private static MemorySegment copy(MemorySegment mad) {
        return MemorySegment.ofArray(Negotiation.bytes(mad));
    }

    private static MemorySegment request(SplittableRandom random) {
        return Requests.requestMad(HOSTILE, VICTIM, PORT, random);
    }

    private static MemorySegment sidrRequest(SplittableRandom random) {
        return Requests.sidrRequestMad(HOSTILE, VICTIM, PORT, random);
    }

    /** The user's reactions to events, and random calls without events, which the state may forbid. */
    private static void react(EventChannel channel, List<ConnectionId> taken, SplittableRandom random)
            throws VerbsException {
        while (true) {
            CmEvent event = channel.poll().orElse(null);
            if (event == null) {
                break;
            }
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                taken.add(event.id());
            }
            event.close();
        }
        if (taken.isEmpty()) {
            return;
        }
        ConnectionId id = taken.get(random.nextInt(taken.size()));
        try {
            switch (random.nextInt(6)) {
                case 0, 1 ->
                    id.accept(ConnectionParameters.builder()
                            .qpNumber(1 + random.nextInt(100))
                            .build());
                case 2 -> id.reject(new byte[0]);
                case 3 -> id.disconnect();
                case 4 -> id.notifyEstablished();
                default -> {
                    id.close();
                    taken.remove(id);
                }
            }
        } catch (VerbsException tooLateOrTooEarly) {
            assertThat(tooLateOrTooEarly).hasMessageContaining("state");
        }
    }

    private static void honestPeersAreServed(
            VirtualRuntime runtime, InProcessFabric fabric, EventChannel channel, SplittableRandom random)
            throws Exception {
        SimDevice honest = device(runtime, fabric, "honest", Gid.parse("10.0.0.3"));
        ConnectionManager manager = new SimConnectionManager(runtime, () -> List.of(honest));
        EventChannel own = manager.createEventChannel();
        for (PortSpace portSpace : new PortSpace[] {PortSpace.TCP, PortSpace.UDP}) {
            ConnectionId id = manager.createId(own, portSpace, null);
            id.resolveAddress(null, new InetSocketAddress(InetAddress.ofLiteral("10.0.0.2"), PORT), PATIENCE);
            expect(own, CmEventType.ADDR_RESOLVED).close();
            id.resolveRoute(PATIENCE);
            expect(own, CmEventType.ROUTE_RESOLVED).close();
            id.connect(ConnectionParameters.builder()
                    .qpNumber(1 + random.nextInt(100))
                    .build());
            CmEvent request = channel.await(PATIENCE).orElseThrow();
            while (request.type() != CmEventType.CONNECT_REQUEST
                    || !request.id().peerAddress().equals(id.localAddress())) {
                request.close();
                request = channel.await(PATIENCE).orElseThrow();
            }
            request.close();
            request.id().accept(ConnectionParameters.builder().qpNumber(5).build());
            CmEventType end = portSpace == PortSpace.TCP ? CmEventType.CONNECT_RESPONSE : CmEventType.ESTABLISHED;
            expect(own, end).close();
            id.close();
            request.id().close();
        }
    }

    private static CmEvent expect(EventChannel channel, CmEventType type) throws Exception {
        CmEvent event = channel.await(PATIENCE).orElseThrow(() -> new AssertionError("no " + type));
        assertThat(event.type()).isEqualTo(type);
        return event;
    }
}
