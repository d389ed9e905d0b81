// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Sweep;
import dev.verbena.sim.model.Action.Aim;
import dev.verbena.sim.model.Action.Blemish;
import dev.verbena.sim.model.Action.Verb;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.SendOpcode;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Programs of work requests and faults for three devices, run in virtual time and compared with a sequential model of
 * memory and completions. A failure shows the smallest program with the fewest faults that still fails, and its
 * packets.
 */
class ModelTest {
    private static final int TRIES = 1700;
    private static final int ENOUGH = 100_000;
    private static final int USUAL_SWEEP = 1_000_000;
    private static final int SIZE_HINT = 1000;
    private static final EventCounts TALLY = new EventCounts();
    private static int programs;
    private static int last;
    private static boolean failed;

    @Provide
    Arbitrary<Program> programs() {
        return Programs.all();
    }

    @Property(tries = TRIES, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void everyRandomProgramMatchesTheModel(@ForAll("programs") Program program) {
        run(program);
    }

    /**
     * A READ is repeated after its key has become invalid, while a later message has begun to arrive. The refusal of
     * the READ ends the receive of that message.
     */
    @Example
    void aRefusalOfAnEarlierReadEndsTheReceiveUnderWay() {
        Program program = new Program(
                5665322503675944044L,
                new Setting(PathMtu.MTU_2048, 158, 7, 7, 2, 7, true, 6, false),
                List.of(
                        new Action.Send(3, SendOpcode.SEND, 33, 921, Aim.REGION, Blemish.NONE, 3, List.of()),
                        new Action.Send(3, SendOpcode.RDMA_READ, 8191, 241, Aim.REGION, Blemish.NONE, 6, List.of()),
                        new Action.Send(
                                4, SendOpcode.ATOMIC_FETCH_AND_ADD, 1, 631, Aim.FAST, Blemish.NONE, 4, List.of()),
                        new Action.Send(3, SendOpcode.RDMA_READ, 1076, 2, Aim.REGION, Blemish.NONE, 9, List.of()),
                        new Action.Send(
                                1, SendOpcode.ATOMIC_FETCH_AND_ADD, 3809, 33, Aim.REGION, Blemish.NONE, 5, List.of()),
                        new Action.Send(4, SendOpcode.RDMA_READ, 1178, 3, Aim.WINDOW_1, Blemish.NONE, 9, List.of()),
                        new Action.Send(0, SendOpcode.RDMA_WRITE, 64, 26, Aim.REGION, Blemish.NONE, 10, List.of()),
                        new Action.Key(0, Verb.BIND_2, 6, 95, 0, false),
                        new Action.Wait(923),
                        new Action.Send(
                                2, SendOpcode.ATOMIC_FETCH_AND_ADD, 65, 23, Aim.COUNTER, Blemish.NONE, 0, List.of()),
                        new Action.Send(4, SendOpcode.RDMA_WRITE, 3927, 52, Aim.SOURCE, Blemish.NONE, 6, List.of()),
                        new Action.Send(1, SendOpcode.RDMA_READ, 8, 558, Aim.WINDOW_2, Blemish.NONE, 8, List.of()),
                        new Action.Send(0, SendOpcode.RDMA_WRITE, 0, 7, Aim.REGION, Blemish.NONE, 15, List.of()),
                        new Action.Send(1, SendOpcode.SEND, 4096, 8, Aim.REGION, Blemish.NONE, 1, List.of()),
                        new Action.Send(5, SendOpcode.RDMA_WRITE, 3, 341, Aim.FAST, Blemish.NONE, 14, List.of()),
                        new Action.Key(0, Verb.INVALIDATE, 898, 12, 4, false),
                        new Action.Wait(515),
                        new Action.Send(
                                1, SendOpcode.SEND_WITH_IMM, 4097, 224, Aim.COUNTER, Blemish.NONE, 12, List.of())),
                List.of(new Fault(Fault.Kind.CORRUPT, 1, 11, 50), new Fault(Fault.Kind.DROP, 0, 9, 4281)));
        assertThat(Run.of(program).tally().operations()).isPositive();
    }

    /**
     * As above, for many more operations. The seed of each program is its number, so that a failure can be repeated.
     */
    @Property(tries = 1)
    @Tag("sweep")
    void manyRandomProgramsMatchTheModel() {
        int operations = Sweep.amount("operations", USUAL_SWEEP);
        RandomGenerator<Program> generator = Programs.all().generator(SIZE_HINT);
        for (int number = Sweep.amount("first", 1); TALLY.operations() < operations; number++) {
            last = number;
            run(generator.next(new Random(number)).value());
        }
    }

    private static void run(Program program) {
        programs++;
        try {
            ProgramShrinker.check(program, each -> TALLY.add(Run.of(each).tally()));
        } catch (Throwable failure) {
            failed = true;
            throw failure;
        }
    }

    /** Prints the tally. If only a few programs ran, as in a replay by seed, the coverage is not checked. */
    @AfterContainer
    static void printAndCheckThatEverythingOccurred() {
        System.out.printf("%,d programs, %s", programs, TALLY);
        if (last != 0) {
            System.out.printf("the last program had number %d%n", last);
        }
        if (programs >= TRIES && !failed) {
            assertThat(TALLY.operations()).isGreaterThanOrEqualTo(ENOUGH);
            Coverage.check(TALLY);
            Coverage.checkStatuses();
        }
    }
}
