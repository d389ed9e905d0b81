// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.verbs.Errno;
import java.time.Duration;
import java.util.Optional;

/**
 * The limits that a conformance agent sets for one TCP connection: the time that each {@link Step} may wait, and the memory
 * that all {@code Step}s together allocate. The conformance rules need far less time and memory than {@code StepBounds}
 * permits. Not thread-safe.
 */
final class StepBounds {
    /** The maximum memory of a connection in bytes. */
    static final long MEMORY = 64L << 20;

    /** The maximum time that one {@link Step} may wait. */
    static final Duration PATIENCE = Duration.ofMinutes(10);

    /** The maximum number of threads in a {@link Step.Concurrently}. */
    static final int THREADS = 64;

    private long allocated;

    /**
     * Returns why the conformance agent refuses a {@link Step}; empty if the agent may execute the {@code Step}. Adds the
     * bytes of an accepted {@link Step.Allocate} to the memory of the TCP connection.
     */
    Optional<Reply.Refusal> refusal(Step step) {
        if (step.patience().isNegative() || step.patience().compareTo(PATIENCE) > 0) {
            return refused(Errno.EINVAL, "a step waits from 0 to " + PATIENCE + ", not " + step.patience());
        }
        return switch (step) {
            case Step.Allocate allocate -> {
                long bytes = allocate.bytes();
                if (bytes < 0 || bytes > MEMORY - allocated) {
                    yield refused(
                            Errno.ENOMEM,
                            "a connection may allocate " + MEMORY + " bytes in all; it has " + allocated
                                    + " and requests " + bytes);
                }
                allocated += bytes;
                yield Optional.empty();
            }
            case Step.Read read
            when read.length() > ControlChannel.MOST_FRAME / 2 ->
                refused(Errno.EINVAL, read.length() + " bytes do not fit a reply; read them in parts");
            case Step.Concurrently concurrently -> refusal(concurrently);
            default -> Optional.empty();
        };
    }

    private Optional<Reply.Refusal> refusal(Step.Concurrently step) {
        if (step.lists().isEmpty() || step.lists().size() > THREADS) {
            return refused(
                    Errno.EINVAL,
                    "1 to " + THREADS + " lists can be executed concurrently, not "
                            + step.lists().size());
        }
        return step.lists().stream()
                .flatMap(list -> list.stream())
                .flatMap(each -> (each instanceof Step.Concurrently
                                ? refused(Errno.EINVAL, "lists of steps cannot be nested")
                                : refusal(each))
                        .stream())
                .findFirst();
    }

    private static Optional<Reply.Refusal> refused(Errno errno, String why) {
        return Optional.of(new Reply.Refusal("StepBounds", Optional.of(errno), why));
    }
}
