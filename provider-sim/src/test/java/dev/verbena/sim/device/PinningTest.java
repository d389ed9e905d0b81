// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.profile.Pinning;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Limits and duration of memory registration. The node itself registers {@link Node#MEMORY} bytes, a mebibyte. */
class PinningTest {
    private static final long LIMIT = Node.MEMORY + 1000;

    private final VirtualRuntime runtime = new VirtualRuntime(1);
    private final Lab lab = new Lab(runtime);

    @AfterEach
    void stop() {
        lab.close();
    }

    private Node node(Pinning pinning) throws VerbsException {
        return lab.node(
                "sim0",
                "192.0.2.1",
                profile -> profile.toBuilder().pinning(pinning).build());
    }

    private static MemoryRegion register(Node node, long bytes) throws VerbsException {
        return node.domain().registerMemory(node.memory().asSlice(0, bytes), AccessFlag.LOCAL_WRITE);
    }

    private static void expectFull(ThrowingCallable call, String text) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        thrown -> assertThat(thrown.errno()).isEqualTo(Errno.ENOMEM))
                .hasMessageContaining(text)
                .hasMessageContaining("ulimit -l");
    }

    @Test
    void soManyBytesArePinnedAndNotOneMore() throws VerbsException {
        Node node = node(Pinning.atMost(LIMIT));
        expectFull(() -> register(node, 1001), "cannot pin 1001 bytes: 1048576 of at most 1049576 are pinned");
        MemoryRegion first = register(node, 999);
        register(node, 1);
        expectFull(() -> register(node, 1), "cannot pin 1 bytes");
        first.close();
        first.close();
        expectFull(() -> register(node, 1000), "cannot pin 1000 bytes");
        register(node, 999).close();
    }

    @Test
    void changingARegionPinsWhatItCoversThen() throws VerbsException {
        Node node = node(Pinning.atMost(LIMIT));
        MemoryRegion region = register(node, 600);
        region.reregister(null, node.memory().asSlice(0, 400), null);
        expectFull(() -> region.reregister(null, node.memory().asSlice(0, 601), null), "cannot pin 601 bytes");
        register(node, 600).close();
        region.reregister(null, null, Set.of());
        assertThat(region.length()).isEqualTo(400);
        region.close();
        register(node, 1000).close();
    }

    @Test
    void onDemandMemoryIsNotPinned() throws VerbsException {
        Node node = node(Pinning.atMost(LIMIT));
        MemoryRegion region = node.domain().registerMemory(node.memory(), AccessFlag.ON_DEMAND);
        expectFull(() -> region.reregister(null, null, Set.of()), "cannot pin 1048576 bytes");
        region.reregister(null, node.memory().asSlice(0, 600), Set.of());
        expectFull(() -> register(node, 401), "cannot pin 401 bytes");
        region.reregister(null, null, Set.of(AccessFlag.ON_DEMAND));
        register(node, 1000).close();
        region.close();
        register(node, 1000).close();
    }

    @Test
    void registeringTakesTime() throws VerbsException {
        Node node = node(new Pinning(Long.MAX_VALUE, Duration.ofMillis(1), Duration.ofMillis(2)));
        assertThat(runtime.nanoTime()).isEqualTo(3_000_000);
        register(node, 1);
        assertThat(runtime.nanoTime()).isEqualTo(6_000_000);
    }

    @Test
    void withoutALimitRegistrationTakesNoTime() throws VerbsException {
        Node node = node(Pinning.FREE);
        register(node, Node.MEMORY);
        assertThat(runtime.nanoTime()).isZero();
    }

    @Test
    void negativeCostsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Pinning.atMost(-1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Pinning(1, Duration.ofMillis(-1), Duration.ZERO))
                .withMessageContaining("negative");
    }
}
