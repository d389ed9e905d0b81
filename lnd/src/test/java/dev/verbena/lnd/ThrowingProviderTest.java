// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.lnd.wire.Protocol;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.MdOption;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Unchecked exceptions of verbs calls in the middle of a transfer: it ends with an event, and its memory is free again. */
class ThrowingProviderTest {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final int LARGE = 50_000;

    private final List<LnetEvent> atA = new ArrayList<>();
    private final List<LnetEvent> atB = new ArrayList<>();
    private Lab lab;
    private ThrowingProvider provider;
    /** The node whose verbs calls throw. */
    private LnetNode a;

    private LnetNode b;
    private long free;

    private void start(RegistrationKind kind) throws VerbsException {
        lab = new Lab(1).registering(RegistrationTunables.defaults().withKind(kind));
        provider = new ThrowingProvider(lab.manager());
        a = lab.start(provider.manager(), 1, lab.tunables().build());
        b = lab.start(2);
        free = a.freeMemory();
    }

    @AfterEach
    void stop() throws VerbsException {
        lab.close();
    }

    private void put(LnetNode from, LnetNode to, List<LnetEvent> events, int length) {
        from.put(Lab.active(lab.memory(length, 1), 1, events), false, to.id(), Lab.PORTAL, Lab.BITS, 0, 0);
    }

    private void connect() {
        put(a, b, atA, 8);
        lab.pass(SOON);
        assertThat(atA).singleElement().matches(LnetEvent::isSuccess);
        atA.clear();
    }

    /** Of what the node had before its first connection, only the transmit descriptors in their pools are not free. */
    private void assertEverythingIsFree() {
        synchronized (DriverParts.lock(a)) {
            DriverParts.allPeers(a).forEach(peer -> peer.closeAll(0, connection -> true));
        }
        lab.pass(SOON);
        assertThat(a.statistics().transmitsInUse()).isZero();
        assertThat(a.statistics().registration().inUse()).isZero();
        int kept = a.ni().hca().partitions().stream()
                .mapToInt(partition -> partition.transmits().made())
                .sum();
        assertThat(a.freeMemory()).isEqualTo(free - (long) kept * Protocol.MESSAGE_SIZE);
    }

    @Test
    void aPostThatThrowsEndsItsMessage() throws VerbsException {
        start(RegistrationKind.REGION);
        connect();
        provider.throwInPosts(true);
        assertThatThrownBy(() -> put(a, b, atA, 8)).hasMessage("a fault");
        provider.throwInPosts(false);
        lab.pass(SOON);
        assertThat(atA).singleElement().matches(event -> !event.isSuccess() && event.unlinked());
        assertEverythingIsFree();

        atA.clear();
        connect();
    }

    /** Without a second operation, no REPLY is expected of a GET. */
    private void failGet(Consumer<Boolean> throwing, int operations) throws VerbsException {
        MemorySegment sink = a.allocate(LARGE);
        throwing.accept(true);
        assertThatThrownBy(() -> a.get(Lab.active(sink, operations, atA), b.id(), Lab.PORTAL, Lab.BITS, 0))
                .hasMessage("a fault");
        throwing.accept(false);
        lab.pass(SOON);
        assertThat(atA).hasSize(operations).noneMatch(LnetEvent::isSuccess);
        assertThat(atA.getLast().unlinked()).isTrue();
        a.free(sink);
        assertEverythingIsFree();
    }

    @Test
    void aSinkWhoseRegistrationThrowsEndsItsGet() throws VerbsException {
        start(RegistrationKind.REGION);
        connect();
        failGet(provider::throwInRegistrations, 1);
    }

    @Test
    void aSinkWhoseWindowThrowsEndsItsGet() throws VerbsException {
        start(RegistrationKind.MEMORY_WINDOW);
        connect();
        failGet(provider::throwInWindows, 2);
    }

    @Test
    void aConnectionWhoseFirstTransferThrowsEndsAndTheNextOneWorks() throws VerbsException {
        start(RegistrationKind.MEMORY_WINDOW);
        MemorySegment sink = a.allocate(LARGE);
        provider.throwInWindows(true);
        a.get(Lab.active(sink, 2, atA), b.id(), Lab.PORTAL, Lab.BITS, 0);
        put(a, b, atA, 8);
        assertThatThrownBy(() -> lab.pass(SOON)).hasMessage("a fault");
        provider.throwInWindows(false);
        lab.pass(SOON);
        assertThat(atA).hasSize(3).noneMatch(LnetEvent::isSuccess);
        a.free(sink);
        assertEverythingIsFree();

        atA.clear();
        connect();
    }

    @Test
    void aSinkWhoseDeregistrationThrowsEndsItsGet() throws VerbsException {
        start(RegistrationKind.REGION);
        connect();
        Lab.serve(b, lab.memory(LARGE, 2), atB, MdOption.OP_GET);
        MemorySegment sink = lab.memory(LARGE, 1);
        provider.throwInDeregistrations(true);
        a.get(Lab.active(sink, 2, atA), b.id(), Lab.PORTAL, Lab.BITS, 0);
        assertThatThrownBy(() -> lab.pass(SOON)).hasMessage("a fault");
        provider.throwInDeregistrations(false);
        lab.pass(SOON);
        assertThat(atA).hasSize(2).allMatch(LnetEvent::isSuccess);
        assertEverythingIsFree();
    }

    @Test
    void aNodeWhoseCloseThrowsWhileItDropsKeptPutsCanBeClosedAgain() throws VerbsException {
        start(RegistrationKind.REGION);
        a.lazy(Lab.PORTAL, true);
        put(b, a, atB, LARGE);
        put(b, a, atB, LARGE);
        lab.pass(Duration.ofSeconds(1));
        assertThat(a.delayed(Lab.PORTAL)).isEqualTo(2);
        provider.throwInPosts(true);
        assertThatThrownBy(a::close).hasMessage("a fault");
        provider.throwInPosts(false);

        lab.close(a);

        lab.pass(SOON);
        assertThat(a.delayed(Lab.PORTAL)).isZero();
        assertThat(atB).hasSize(2).noneMatch(LnetEvent::isSuccess);
    }

    @Test
    void aTargetWhoseRegistrationThrowsEndsItsPut() throws VerbsException {
        start(RegistrationKind.REGION);
        connect();
        Lab.serve(a, a.allocate(LARGE), atA, MdOption.OP_PUT);
        provider.throwInRegistrations(true);
        put(b, a, atB, LARGE);
        assertThatThrownBy(() -> lab.pass(SOON)).hasMessage("a fault");
        provider.throwInRegistrations(false);
        lab.pass(SOON);
        assertThat(atB).singleElement().matches(event -> !event.isSuccess());
        assertThat(atA).singleElement().matches(event -> !event.isSuccess() && event.unlinked());
        a.free(atA.getFirst().memoryDescriptor().memory().slices().getFirst());
        assertEverythingIsFree();
    }
}
