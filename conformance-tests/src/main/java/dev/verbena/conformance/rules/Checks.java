// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

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

final class Checks {
    private Checks() {}

    static void assertErrno(Errno expected, Executable call) {
        try {
            call.execute();
        } catch (Refused refused) {
            assertEquals(Optional.of(expected), refused.errno(), refused::getMessage);
            return;
        } catch (Throwable other) {
            throw new AssertionError("not refused with " + expected + " but failed: " + other, other);
        }
        fail("was not refused; " + expected + " was expected");
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

    /** Waits for a number of flushed requests with consecutive work request ids. */
    static void assertFlushed(Cq queue, long firstId, int count) {
        List<Completion> found = queue.await(count);
        assertEquals(ids(firstId, count), Completion.ids(found), "order of the flush");
        assertEquals(
                Collections.nCopies(count, WorkCompletionStatus.WR_FLUSH_ERR),
                Completion.statuses(found),
                "statuses of what was flushed");
    }

    static List<Long> ids(long first, int count) {
        return LongStream.range(first, first + count).boxed().toList();
    }
}
