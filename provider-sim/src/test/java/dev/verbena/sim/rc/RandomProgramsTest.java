package dev.verbena.sim.rc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.counters.Counter;
import dev.verbena.sim.fault.FaultKind;
import dev.verbena.verbs.VerbsException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** Random programs over bad links, compared with a model that carries out one request after the other. */
class RandomProgramsTest {
    private static final int TRIES = 400;
    private static final Map<String, Long> TALLY = new TreeMap<>();
    private static final List<Counter> COUNTERS = List.of(
            Counter.SENT_PKTS,
            Counter.RETRANSMITTED_PKTS,
            Counter.DUPLICATE_REQUEST,
            Counter.OUT_OF_SEQ_REQUEST,
            Counter.RCVD_SEQ_ERR,
            Counter.SEND_RNR_ERR,
            Counter.RCVD_RNR_ERR,
            Counter.COMPLETER_RETRY_ERR,
            Counter.RETRY_EXCEEDED_ERR,
            Counter.DROPPED_RESPONSE,
            Counter.DROPPED_MALFORMED,
            Counter.DROPPED_ICRC);
    private static int programs;

    @Provide
    Arbitrary<Program> programs() {
        return Program.all();
    }

    @Property(tries = TRIES)
    void everythingArrivesOnceInOrderAndUnalteredOrTheSenderLearnsWhyNot(@ForAll("programs") Program program)
            throws VerbsException {
        ProgramRun run = new ProgramRun(program);
        assertThat(run.ended()).as("all requests completed").isTrue();
        new Verdicts(run, 0).check();
        new Verdicts(run, 1).check();
        tally(run);
    }

    @Property(tries = 30)
    void theSameProgramRunsTheSameWayAgain(@ForAll("programs") Program program) throws VerbsException {
        assertThat(new ProgramRun(program).fingerprint()).isEqualTo(new ProgramRun(program).fingerprint());
    }

    /** What never happened was not tested. A single program, such as a replay by its seed, shows only itself. */
    @AfterContainer
    static void printTallyAndCheckThatEverythingOccurred() {
        System.out.println(programs + " programs:");
        TALLY.forEach((what, times) -> System.out.println("  " + what + " " + times));
        if (programs >= TRIES) {
            assertThat(TALLY).doesNotContainValue(0L);
            assertThat(TALLY)
                    .containsKeys(
                            "send completed SEND",
                            "send completed RDMA_WRITE",
                            "send completed RETRY_EXCEEDED_ERROR",
                            "send completed WORK_REQUEST_FLUSHED_ERROR",
                            "receive completed RECEIVE",
                            "receive completed RECEIVE_RDMA_WITH_IMMEDIATE",
                            "receive completed WORK_REQUEST_FLUSHED_ERROR");
        }
    }

    private static void tally(ProgramRun run) {
        programs++;
        for (int side = 0; side < 2; side++) {
            run.program().ops(side).forEach(op -> count("posted " + op.opcode(), 1));
            run.side(side).sends().forEach(text -> count("send completed " + kind(text), 1));
            run.side(side).receives().forEach(text -> count("receive completed " + kind(text), 1));
        }
        for (FaultKind kind : FaultKind.values()) {
            count("fault " + kind, run.count(kind));
        }
        for (Counter counter : COUNTERS) {
            count(counter.label(), run.count(counter));
        }
    }

    private static String kind(String completion) {
        return completion.substring(0, completion.indexOf(' '));
    }

    private static void count(String what, long times) {
        TALLY.merge(what, times, Long::sum);
    }
}
