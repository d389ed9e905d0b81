package dev.verbena.sim.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Sweep;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Programs of work requests and faults for a small world of devices, run in virtual time and compared with a sequential model of
 * memory and completions. A failure shows the smallest program and the fewest faults that still fail, and its packets.
 */
class ModelTest {
    private static final int TRIES = 1700;
    private static final int ENOUGH = 100_000;
    private static final int USUAL_SWEEP = 1_000_000;
    private static final int SIZE_HINT = 1000;
    private static final Tally TALLY = new Tally();
    private static int programs;
    private static int last;
    private static boolean failed;

    @Provide
    Arbitrary<Program> programs() {
        return Programs.all();
    }

    @Property(tries = TRIES, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void everyProgramDoesWhatTheModelSays(@ForAll("programs") Program program) {
        run(program);
    }

    /** The same for much longer; the seed of each program is its number, so that a failure is found again. */
    @Property(tries = 1)
    @Tag("sweep")
    void aGreatManyProgramsDoWhatTheModelSays() {
        int operations = Sweep.amount("operations", USUAL_SWEEP);
        RandomGenerator<Program> generator = Programs.all().generator(SIZE_HINT);
        for (int number = Sweep.amount("first", 1); TALLY.operations() < operations; number++) {
            last = number;
            run(generator.next(new Random(number)).value());
        }
    }

    private static void run(Program program) {
        programs++;
        if (fails(program)) {
            failed = true;
            Run.of(Smallest.of(program, ModelTest::fails));
        }
    }

    private static boolean fails(Program program) {
        try {
            TALLY.add(Run.of(program).tally());
            return false;
        } catch (AssertionError failure) {
            return true;
        }
    }

    /** A few programs, such as a replay by its seed, show only themselves. */
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
