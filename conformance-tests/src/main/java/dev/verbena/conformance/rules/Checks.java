package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.verbena.conformance.side.Completion;
import dev.verbena.conformance.side.Cq;
import dev.verbena.conformance.side.Refused;
import dev.verbena.conformance.side.Reply;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.function.Executable;

/** What many rules check in the same words. */
final class Checks {
    private Checks() {}

    static void assertErrno(Errno expected, Executable call) {
        Refused refused = assertThrows(Refused.class, call, () -> "nothing was refused, expected " + expected);
        assertEquals(Optional.of(expected), refused.errno(), refused::getMessage);
    }

    static void assertRefusedAt(int index, Errno errno, Reply.Posted posted) {
        assertEquals(index, posted.taken(), () -> "requests taken: " + posted);
        assertEquals(index, posted.refusedIndex(), () -> "index of the refused request: " + posted);
        assertEquals(errno, posted.refusal().errno(), () -> "errno: " + posted);
    }

    static void assertStatuses(Cq queue, WorkCompletionStatus... expected) {
        List<Completion> found = queue.await(expected.length);
        assertEquals(List.of(expected), Completion.statuses(found), () -> "completions of " + queue + ": " + found);
    }

    /** Waits for so many flushed requests with ascending ids. */
    static void assertFlushed(Cq queue, long firstId, int count) {
        List<Completion> found = queue.await(count);
        assertEquals(ids(firstId, count), Completion.ids(found), "order of the flush");
        assertEquals(
                Collections.nCopies(count, WorkCompletionStatus.WORK_REQUEST_FLUSHED_ERROR),
                Completion.statuses(found));
    }

    static List<Long> ids(long first, int count) {
        return LongStream.range(first, first + count).boxed().toList();
    }
}
