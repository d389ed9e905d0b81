// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks invariants under random traffic, parameters, packet loss and orders of completions. No deadlock occurs, no
 * message arrives without a buffer, and no credit is lost. Every message is finalized once. No memory is released while
 * a peer may write to it, and none is written after its operation ended.
 */
class StormTest {

    private static final int MESSAGES = Integer.getInteger("verbena.lnd.storm", 100_000);
    private static final int OPERATIONS = 400;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void theInvariantsHoldAfterEveryEvent(long seed) throws VerbsException {
        try (Lab lab = new Lab(seed)) {
            Storm storm = new Storm(seed, lab);
            assertThat(storm.run(40)).isGreaterThanOrEqualTo(40);
            assertThat(storm.invariants().checks()).isGreaterThan(200);
            assertThat(lab.counters(1)).anyMatch(counter -> counter.name().contains("rnr"));
        }
    }

    /** Simulates a driver that mistakes the completion of its answer's SEND for the end of the transfer. */
    @ParameterizedTest
    @EnumSource(RegistrationKind.class)
    void memoryReleasedWhileAPeerMayWriteToItIsDetected(RegistrationKind kind) throws VerbsException {
        try (Lab lab = new Lab(1).registering(RegistrationTunables.defaults().withKind(kind))) {
            List<LnetNode> nodes = List.of(lab.start(1), lab.start(2));
            Invariants invariants = new Invariants(nodes, true, true);
            List<LnetEvent> events = new ArrayList<>();
            Rig.serve(nodes.get(1), lab.memory(50_000, 1), events, MdOption.OP_PUT);
            MemoryDescriptor source = Rig.active(lab.memory(50_000, 2), 1, events);
            nodes.get(0).put(source, false, nodes.get(1).id(), Rig.PORTAL, Rig.BITS, 0, 0);
            lab.await(
                    () -> {
                        invariants.check();
                        return invariants.grants() == 1;
                    },
                    Duration.ofMinutes(1));
            Partition partition = DriverParts.pools(nodes.get(1));
            List<TxDescriptor> granting = new ArrayList<>();
            partition.transmits().forEach(tx -> {
                if (tx.type() == MessageType.PUT_ACK) {
                    granting.add(tx);
                }
            });
            partition
                    .transfers()
                    .release(Objects.requireNonNull(granting.getFirst().transfer()), 0, false);
            assertThatThrownBy(invariants::check)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("was given back while");
        }
    }

    static Stream<TestEnvironment> environments() {
        return TestEnvironment.all();
    }

    /** The same in every environment, without the faults that only the simulated fabric supports. */
    @ParameterizedTest
    @MethodSource("environments")
    @Tag("udp")
    void aStormEndsWhereverTheNodesAre(TestEnvironment environment) throws Exception {
        for (long seed = 1; seed <= 4; seed++) {
            long number = seed;
            environment.run(rig -> {
                Storm storm = new Storm(number, rig);
                assertThat(storm.run(40)).isGreaterThanOrEqualTo(40);
            });
        }
    }

    /** Prints its size; {@code -Dverbena.lnd.storm} changes it. */
    @Test
    @Tag("sweep")
    void theInvariantsHoldForAHundredThousandMessages() throws VerbsException {
        long messages = 0;
        long checks = 0;
        long grants = 0;
        long seed = 1000;
        for (; messages < MESSAGES; seed++) {
            try (Lab lab = new Lab(seed)) {
                Storm storm = new Storm(seed, lab);
                messages += storm.run(OPERATIONS);
                checks += storm.invariants().checks();
                grants += storm.invariants().grants();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("storm of seed " + seed, e);
            }
        }
        System.out.println("LNet messages: " + messages + " in storms of seeds 1000 to " + (seed - 1)
                + ", invariants looked at " + checks + " times, " + grants + " grants of memory followed");
        assertThat(grants).isPositive();
        assertThat(messages).isGreaterThanOrEqualTo(MESSAGES);
    }
}
