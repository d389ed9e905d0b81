// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.cm.engine.CmIndication.Kind;
import dev.verbena.sim.cm.engine.CmNetwork.Node;
import dev.verbena.sim.fixture.Sweep;
import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** MADs are hostile input: no exception escapes, no state stays, and honest peers can connect afterwards. */
class CmFuzzTest {
    private static final int PORT = 987;
    private static final int MADS = 2000;
    private static final int A_MILLION = 1_000_000;

    @Property(tries = 25, shrinking = ShrinkingMode.OFF)
    void mutatedMadsDoNoHarm(@ForAll long seed) {
        attack(seed);
    }

    /** The seed of each attack is its number. */
    @Test
    @Tag("sweep")
    void aMillionMutatedMadsDoNoHarm() {
        int attacks = Sweep.amount("mads", A_MILLION) / MADS;
        for (int seed = 1; seed <= attacks; seed++) {
            try {
                attack(seed);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("attack " + seed, e);
            }
        }
    }

    private static void attack(long seed) {
        CmNetwork network = new CmNetwork(seed);
        SplittableRandom random = network.random();
        Node attacker = network.node("10.0.0.1", 0x1111);
        Node victim = network.node("10.0.0.2", 0x2222);
        victim.listen(PORT, 16);
        int[] qpn = {1000};
        CmNetwork.User fickle = (connection, indication) -> {
            switch (random.nextInt(6)) {
                case 0 -> connection.accept(Requests.reply(qpn[0]++), network.now());
                case 1 -> connection.reject(MemorySegment.NULL);
                case 2 -> connection.disconnect(network.now());
                case 3 -> connection.establish();
                case 4 -> connection.notifyEstablished();
                default -> connection.destroy(network.now());
            }
        };
        victim.onSidrRequest = request -> {
            switch (random.nextInt(3)) {
                case 0 -> request.reply(new SidrReplyParameters(0, 7, 8, MemorySegment.NULL), network.now());
                case 1 -> request.reply(SidrReplyParameters.rejection(2, MemorySegment.NULL), network.now());
                default -> {}
            }
        };
        victim.listenForDatagrams(PORT, 16);
        victim.user = fickle;
        attacker.user = fickle;

        List<MemorySegment> seen = new ArrayList<>();
        for (int i = 0; i < MADS; i++) {
            if (random.nextInt(50) == 0) {
                attacker.connect(victim, PORT, random.nextInt(1 << 24));
            }
            if (random.nextInt(100) == 0) {
                // The victim also has connections of its own.
                victim.engine.connect(
                        Requests.request(victim.gid, attacker.gid, PORT, random.nextInt(1 << 24)),
                        victim,
                        network.now());
            }
            if (random.nextInt(50) == 0) {
                attacker.requestQueuePair(victim, PORT);
            }
            if (random.nextInt(100) == 0) {
                victim.requestQueuePair(attacker, PORT);
            }
            remember(seen, attacker);
            remember(seen, victim);
            if (!seen.isEmpty()) {
                MemorySegment mad = MadMutations.of(seen.get(random.nextInt(seen.size())), random);
                Gid source = random.nextInt(10) == 0 ? Gid.parse("10.0.0.9") : attacker.gid;
                victim.engine.onMad(source, victim.gid, mad, network.now());
            }
            network.run(Duration.ofMillis(random.nextInt(200)));
        }

        // The users destroy all remaining connections, which end when all tries and timewaits are over.
        victim.user = (connection, indication) -> connection.destroy(network.now());
        attacker.user = victim.user;
        victim.told.forEach(told -> told.connection().destroy(network.now()));
        attacker.told.forEach(told -> told.connection().destroy(network.now()));
        victim.onSidrRequest =
                request -> request.reply(SidrReplyParameters.rejection(2, MemorySegment.NULL), network.now());
        victim.sidrRequests.forEach(victim.onSidrRequest);
        network.run(Duration.ofMinutes(25));
        assertThat(victim.engine.size()).isZero();

        victim.user = (connection, indication) -> {
            if (indication.kind() == Kind.REQUESTED) {
                connection.accept(Requests.reply(1), network.now());
            }
        };
        Node honest = network.node("10.0.0.5", 0x5555);
        honest.user = (connection, indication) -> {
            if (indication.kind() == Kind.REPLIED) {
                connection.establish();
            }
        };
        CmConnection connection = honest.connect(victim, PORT, 77);
        network.run(Duration.ofSeconds(1));
        assertThat(connection.state()).isEqualTo(CmState.ESTABLISHED);
        victim.onSidrRequest =
                request -> request.reply(new SidrReplyParameters(0, 7, 8, MemorySegment.NULL), network.now());
        honest.requestQueuePair(victim, PORT);
        network.run(Duration.ofSeconds(1));
        assertThat(honest.repliedQpns).containsExactly(7);
    }

    private static void remember(List<MemorySegment> seen, Node node) {
        node.sent.forEach(each -> seen.add(each.mad()));
        node.sent.clear();
    }
}
