package dev.verbena.sim.cm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.cm.CmIndication.Kind;
import dev.verbena.sim.cm.CmNetwork.Node;
import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** MADs are hostile input: nothing escapes, nothing stays behind, and honest peers connect afterwards. */
class CmFuzzTest {
    private static final int PORT = 987;
    private static final int MADS = 2000;
    private static final int MAD_LENGTH = 256;

    @Property(tries = 100, shrinking = ShrinkingMode.OFF)
    void mutatedMadsDoNoHarm(@ForAll long seed) {
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
        victim.user = fickle;
        attacker.user = fickle;

        List<MemorySegment> seen = new ArrayList<>();
        for (int i = 0; i < MADS; i++) {
            if (random.nextInt(50) == 0) {
                attacker.connect(victim, PORT, random.nextInt(1 << 24));
            }
            if (random.nextInt(100) == 0) {
                // The victim, too, has connections of its own.
                victim.engine.connect(
                        Requests.request(victim.gid, attacker.gid, PORT, random.nextInt(1 << 24)),
                        victim,
                        network.now());
            }
            remember(seen, attacker);
            remember(seen, victim);
            if (!seen.isEmpty()) {
                MemorySegment mad = mutated(seen.get(random.nextInt(seen.size())), random);
                Gid source = random.nextInt(10) == 0 ? Gid.parse("10.0.0.9") : attacker.gid;
                victim.engine.onMad(source, victim.gid, mad, network.now());
            }
            network.run(Duration.ofMillis(random.nextInt(200)));
        }

        // Whatever is left is given up by its user, and gone when all tries and timewaits are over.
        victim.user = (connection, indication) -> connection.destroy(network.now());
        attacker.user = victim.user;
        victim.told.forEach(told -> told.connection().destroy(network.now()));
        attacker.told.forEach(told -> told.connection().destroy(network.now()));
        network.run(Duration.ofMinutes(20));
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
    }

    private static void remember(List<MemorySegment> seen, Node node) {
        node.sent.forEach(each -> seen.add(each.mad()));
        node.sent.clear();
    }

    /** Changes up to eight bytes, mostly not those without which nobody would look at the rest; may cut the end off. */
    private static MemorySegment mutated(MemorySegment mad, SplittableRandom random) {
        byte[] bytes = Negotiation.bytes(mad);
        int changes = random.nextInt(9);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(10) == 0 ? random.nextInt(24) : 16 + random.nextInt(MAD_LENGTH - 16);
            bytes[at] = random.nextBoolean() ? (byte) random.nextInt() : (byte) (bytes[at] ^ (1 << random.nextInt(8)));
        }
        MemorySegment whole = MemorySegment.ofArray(bytes);
        return random.nextInt(50) == 0 ? whole.asSlice(0, random.nextInt(MAD_LENGTH)) : whole;
    }
}
