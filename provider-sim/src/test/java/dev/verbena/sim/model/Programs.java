// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import dev.verbena.sim.model.Action.Aim;
import dev.verbena.sim.model.Action.Blemish;
import dev.verbena.sim.model.Action.Change;
import dev.verbena.sim.model.Action.Room;
import dev.verbena.sim.model.Action.Verb;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.SendOpcode;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;

/** Generates programs. Shrinking leads to fewer actions, shorter messages, no flags and no defects. */
final class Programs {
    private static final int MOST_ACTIONS = 240;
    private static final int MOST_FAULTS = 24;
    private static final int PERMILLE = 1000;
    private static final int MANY_PACKETS = 400;
    private static final int MOST_NANOS = 60_000;

    private Programs() {}

    static Arbitrary<Program> all() {
        return settings()
                .flatMap(setting -> Combinators.combine(
                                Arbitraries.longs(),
                                action(setting)
                                        .list()
                                        .ofMaxSize(MOST_ACTIONS)
                                        .withSizeDistribution(RandomDistribution.uniform()),
                                faults())
                        .as((seed, actions, faults) -> new Program(seed, setting, actions, faults)));
    }

    private static Arbitrary<Setting> settings() {
        Arbitrary<PathMtu> mtu = Arbitraries.frequency(
                Tuple.of(5, PathMtu.MTU_256),
                Tuple.of(3, PathMtu.MTU_512),
                Tuple.of(3, PathMtu.MTU_1024),
                Tuple.of(1, PathMtu.MTU_2048),
                Tuple.of(2, PathMtu.MTU_4096));
        Arbitrary<Integer> psn = Arbitraries.oneOf(number(0xFFFFFF), number(80).map(below -> 0xFFFFFF - below));
        Arbitrary<Integer> rnr = Arbitraries.frequencyOf(Tuple.of(3, Arbitraries.just(7)), Tuple.of(1, number(6)));
        Arbitrary<Integer> retries = Arbitraries.frequencyOf(Tuple.of(3, Arbitraries.just(7)), Tuple.of(1, number(7)));
        return Combinators.combine(
                        mtu, psn, retries, rnr, Arbitraries.integers().between(1, 4), number(2), number(1), number(15))
                .as((size, first, repeats, rnrRetries, reads, depth, oneCq, mask) -> new Setting(
                        size, first, repeats, rnrRetries, reads, 7 << depth, oneCq == 1, mask & 7, mask / 2 == 4));
    }

    private static Arbitrary<Action> action(Setting setting) {
        return Arbitraries.frequencyOf(
                Tuple.of(60, send(setting)),
                Tuple.of(22, receive()),
                Tuple.of(14, key()),
                Tuple.of(16, waits()),
                Tuple.of(3, modify()));
    }

    private static Arbitrary<Integer> number(int most) {
        return Arbitraries.integers().between(0, most);
    }

    private static Arbitrary<Integer> permille() {
        return number(PERMILLE);
    }

    /** Draws an end. Those of reliable connections are the most frequent, those of datagrams the least. */
    private static Arbitrary<Integer> end() {
        return Arbitraries.frequencyOf(
                Tuple.of(10, number(3)),
                Tuple.of(3, number(1).map(uc -> 4 + uc)),
                Tuple.of(2, number(2).map(ud -> 6 + ud)));
    }

    private static Arbitrary<List<Integer>> cuts() {
        return Arbitraries.frequencyOf(
                Tuple.of(3, Arbitraries.just(List.of())),
                Tuple.of(1, permille().list().ofMaxSize(3)));
    }

    private static Arbitrary<Action> send(Setting setting) {
        Arbitrary<SendOpcode> opcode = Arbitraries.frequency(
                Tuple.of(4, SendOpcode.SEND),
                Tuple.of(3, SendOpcode.SEND_WITH_IMM),
                Tuple.of(5, SendOpcode.RDMA_WRITE),
                Tuple.of(3, SendOpcode.RDMA_WRITE_WITH_IMM),
                Tuple.of(5, SendOpcode.RDMA_READ),
                Tuple.of(2, SendOpcode.ATOMIC_CMP_AND_SWP),
                Tuple.of(2, SendOpcode.ATOMIC_FETCH_AND_ADD),
                Tuple.of(2, SendOpcode.ATOMIC_WRITE),
                Tuple.of(1, SendOpcode.FLUSH),
                Tuple.of(1, SendOpcode.SEND_WITH_INV));
        Arbitrary<Aim> aim = Arbitraries.frequency(
                Tuple.of(60, Aim.REGION),
                Tuple.of(10, Aim.SOURCE),
                Tuple.of(8, Aim.COUNTER),
                Tuple.of(6, Aim.WINDOW_1),
                Tuple.of(9, Aim.WINDOW_2),
                Tuple.of(6, Aim.FAST),
                Tuple.of(6, Aim.EXTRA),
                Tuple.of(2, Aim.FOREIGN),
                Tuple.of(1, Aim.STALE),
                Tuple.of(1, Aim.NONE));
        Arbitrary<Blemish> blemish = Arbitraries.frequency(
                Tuple.of(200, Blemish.NONE),
                Tuple.of(4, Blemish.BEYOND),
                Tuple.of(2, Blemish.CLOSED_REGION),
                Tuple.of(1, Blemish.READ_ONLY_REGION),
                Tuple.of(3, Blemish.WRONG));
        return Combinators.combine(end(), opcode, length(setting), permille(), aim, blemish, number(15), cuts())
                .as(Action.Send::new);
    }

    /** Draws the end of a key. Most keys are for one connection, so that its requests use them. */
    private static Arbitrary<Integer> keyEnd() {
        return Arbitraries.frequencyOf(Tuple.of(5, number(1)), Tuple.of(2, end()));
    }

    private static Arbitrary<Integer> length(Setting setting) {
        int mtu = setting.mtu().bytes();
        List<Integer> edges = new ArrayList<>(List.of(0, 1, 3, Setting.INLINE, Setting.INLINE + 1));
        for (int packets = 1; packets <= 4; packets++) {
            edges.addAll(List.of(packets * mtu - 1, packets * mtu, packets * mtu + 1));
        }
        edges.removeIf(length -> length > setting.maxMessage());
        return Arbitraries.frequencyOf(
                Tuple.of(6, Arbitraries.of(edges)),
                Tuple.of(3, number(2 * mtu)),
                Tuple.of(1, number(setting.maxMessage())));
    }

    private static Arbitrary<Action> receive() {
        Arbitrary<Room> room = Arbitraries.frequency(
                Tuple.of(40, Room.AMPLE), Tuple.of(40, Room.EXACT), Tuple.of(1, Room.SHORT), Tuple.of(3, Room.BROKEN));
        return Combinators.combine(end(), Arbitraries.integers().between(1, 4), room, cuts())
                .as(Action.Receive::new);
    }

    private static Arbitrary<Action> key() {
        Arbitrary<Boolean> bad = Arbitraries.frequency(Tuple.of(20, false), Tuple.of(1, true));
        return Combinators.combine(keyEnd(), Arbitraries.of(Verb.class), permille(), permille(), number(7), bad)
                .as(Action.Key::new);
    }

    private static Arbitrary<Action> waits() {
        return Arbitraries.frequencyOf(
                        Tuple.of(5, number(5_000)),
                        Tuple.of(3, number(MOST_NANOS)),
                        Tuple.of(1, number(1000 * MOST_NANOS)))
                .map(Action.Wait::new);
    }

    private static Arbitrary<Action> modify() {
        Arbitrary<Change> change = Arbitraries.frequency(
                Tuple.of(6, Change.RECONNECT),
                Tuple.of(1, Change.FAIL),
                Tuple.of(3, Change.DRAIN),
                Tuple.of(5, Change.RESUME));
        return Combinators.combine(end(), change).as(Action.Modify::new);
    }

    private static Arbitrary<List<Fault>> faults() {
        Arbitrary<Fault.Kind> kind = Arbitraries.frequency(
                Tuple.of(6, Fault.Kind.DROP),
                Tuple.of(3, Fault.Kind.DUPLICATE),
                Tuple.of(4, Fault.Kind.DELAY),
                Tuple.of(3, Fault.Kind.CORRUPT),
                Tuple.of(1, Fault.Kind.PARTITION),
                Tuple.of(1, Fault.Kind.STUTTER));
        Arbitrary<Integer> link = Arbitraries.frequencyOf(Tuple.of(4, number(1)), Tuple.of(1, number(5)));
        Arbitrary<Fault> fault = Combinators.combine(
                        kind, link, number(MANY_PACKETS), Arbitraries.integers().between(0, 1 << 16))
                .as(Fault::new);
        return Arbitraries.frequencyOf(
                Tuple.of(1, Arbitraries.just(List.of())),
                Tuple.of(3, fault.list().ofMaxSize(MOST_FAULTS)));
    }
}
