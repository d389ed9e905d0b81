// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.lnet.PayloadVector;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Lists of pieces with holes between them arrive whole, wherever the nodes are and however they register memory. */
@ParameterizedClass
@MethodSource("environments")
@Tag("udp")
class GapsTest {

    private static final int PAGE = 4096;
    private static final int PIECES = 256;
    private static final Duration LONG = Duration.ofMinutes(2);

    @Parameter(0)
    private TestEnvironment environment;

    @Parameter(1)
    private RegistrationTunables registration;

    private final List<LnetEvent> events = new CopyOnWriteArrayList<>();
    private Rig rig;
    private LnetNode a;
    private LnetNode b;

    static Stream<Arguments> environments() {
        List<RegistrationTunables> ways = new ArrayList<>();
        ways.add(of(RegistrationKind.FAST_REGISTRATION).withFastregGaps(true));
        Arrays.stream(RegistrationKind.values()).map(GapsTest::of).forEach(ways::add);
        return TestEnvironment.all().flatMap(environment -> ways.stream().map(way -> Arguments.of(environment, way)));
    }

    private static RegistrationTunables of(RegistrationKind kind) {
        return RegistrationTunables.defaults().withKind(kind);
    }

    private void run(TestEnvironment.Scenario scenario) throws Exception {
        environment.run(opened -> {
            rig = opened;
            rig.register(registration);
            a = rig.start(1);
            b = rig.start(2);
            scenario.run(opened);
            for (LnetNode node : List.of(a, b)) {
                assertThat(rig.await(() -> node.statistics().registration().inUse() == 0, LONG))
                        .isTrue();
                assertThat(node.statistics().closedWithError()).isZero();
            }
        });
    }

    /** Pieces at arbitrary places of pages, some adjacent, some with holes between, some in one page. */
    private static PayloadVector pieces(LnetNode node, Random random, int length) throws VerbsException {
        List<MemorySegment> slices = new ArrayList<>();
        int left = length;
        int style = random.nextInt(4);
        while (left > 0) {
            MemorySegment block = node.allocate(3 * PAGE);
            int offset = style == 0 && !slices.isEmpty() ? 0 : random.nextInt(PAGE);
            int bytes = Math.min(
                    left,
                    switch (style) {
                        case 0 -> 2 * PAGE - (slices.isEmpty() ? offset : 0);
                        case 1 -> 1 + random.nextInt(2 * PAGE);
                        default -> 1 + random.nextInt(600);
                    });
            slices.add(block.asSlice(offset, bytes));
            left -= bytes;
            if (style == 3 && left > 0) {
                int more = Math.min(left, 1 + random.nextInt(300));
                slices.add(block.asSlice(offset + bytes, more));
                left -= more;
            }
        }
        return PayloadVector.of(slices);
    }

    /** Moves random bytes from one list of node A to one of node B, or the other way round. */
    private void move(PayloadVector from, PayloadVector to, boolean put, String what) {
        int length = (int) from.length();
        MemorySegment content = rig.memory(length, length);
        PayloadVector source = put ? from : to;
        PayloadVector sink = put ? to : from;
        source.copyIn(0, content, 0, length);
        events.clear();
        b.attach(
                MatchEntry.on(Rig.PORTAL).matchBits(Rig.BITS).build(),
                MemoryDescriptor.over(to)
                        .options(put ? MdOption.OP_PUT : MdOption.OP_GET)
                        .threshold(1)
                        .handler(events::add)
                        .build());
        MemoryDescriptor active =
                MemoryDescriptor.over(from).threshold(2).handler(events::add).build();
        if (put) {
            a.put(active, true, b.id(), Rig.PORTAL, Rig.BITS, 0, 0);
        } else {
            a.get(active, b.id(), Rig.PORTAL, Rig.BITS, 0);
        }
        assertThat(rig.await(() -> events.size() == 3, LONG))
                .as("%s: %s", what, events)
                .isTrue();
        assertThat(events).as(what).allMatch(LnetEvent::isSuccess);
        MemorySegment arrived = rig.memory(length, 0);
        sink.copyOut(0, arrived, 0, length);
        assertThat(arrived.mismatch(content)).as(what).isEqualTo(-1);
    }

    /** Row 58 and the gaps of section 6.8: for all offsets and lengths, every byte arrives. */
    @Test
    void listsWithArbitraryHolesArriveCompletely() throws Exception {
        run(opened -> {
            for (int seed = 0; seed < 25; seed++) {
                Random random = new Random(seed);
                int length = 3977 + random.nextInt(9000);
                PayloadVector from = pieces(a, random, length);
                PayloadVector to = pieces(b, random, length);
                move(from, to, random.nextBoolean(), "seed " + seed);
            }
        });
    }

    /** Row 47: as many pieces as a payload has, which start and end in the middle of pages: 257 fragments. */
    @Test
    void aMebibyteOfTheMostPiecesArrivesCompletely() throws Exception {
        run(opened -> {
            move(piecesFrom(a, 77), piecesFrom(b, 77), true, "PUT");
            move(piecesFrom(a, 4000), piecesFrom(b, 4000), false, "GET");
        });
    }

    /**
     * A mebibyte that starts inside a page: the first two pages are one piece, each later page is a piece of its own.
     */
    private static PayloadVector piecesFrom(LnetNode node, int offset) throws VerbsException {
        MemorySegment whole = node.allocate((PIECES + 1L) * PAGE);
        List<MemorySegment> pieces = new ArrayList<>();
        pieces.add(whole.asSlice(offset, 2L * PAGE - offset));
        for (int page = 2; page <= PIECES; page++) {
            pieces.add(whole.asSlice((long) page * PAGE, page == PIECES ? offset : PAGE));
        }
        return PayloadVector.of(pieces);
    }
}
