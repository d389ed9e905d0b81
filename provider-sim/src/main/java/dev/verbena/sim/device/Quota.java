// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.concurrent.atomic.AtomicInteger;

/** Limits the number of objects or resources of one type on a device. Thread-safe. */
final class Quota {
    private final String plural;
    private final int limit;
    private final AtomicInteger used = new AtomicInteger();

    /** Exception messages name the counted objects by {@code plural}, for example {@code completion queues}. */
    Quota(String plural, int limit) {
        this.plural = plural;
        this.limit = limit;
    }

    void take(String verb) throws VerbsException {
        take(1, verb);
    }

    /** Increases the object count by {@code count}. Fails, without an effect, if the new count would exceed the limit. */
    void take(int count, String verb) throws VerbsException {
        int before;
        do {
            before = used.get();
            if (count > limit - before) {
                throw exhausted(verb, limit, plural);
            }
        } while (!used.compareAndSet(before, before + count));
    }

    void release() {
        release(1);
    }

    void release(int count) {
        used.addAndGet(-count);
    }

    static VerbsException exhausted(String verb, int limit, String plural) {
        return new VerbsException(
                Errno.ENOMEM, verb, "all " + limit + " " + plural + " of the device are in use; close one first");
    }
}
