// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.concurrent.atomic.AtomicInteger;

/** The limit for objects of one kind on a device that keeps no table of them. Thread-safe. */
final class Quota {
    private final String plural;
    private final int limit;
    private final AtomicInteger used = new AtomicInteger();

    /** Creates a quota for objects that messages name by a plural such as {@code completion queues}. */
    Quota(String plural, int limit) {
        this.plural = plural;
        this.limit = limit;
    }

    /** Counts one object, to be released when it is closed. */
    void take(String verb) throws VerbsException {
        take(1, verb);
    }

    /** Counts several objects, or none if the limit would be exceeded. */
    void take(int count, String verb) throws VerbsException {
        int before;
        do {
            before = used.get();
            if (count > limit - before) {
                throw exhausted(verb, limit, plural);
            }
        } while (!used.compareAndSet(before, before + count));
    }

    /** Releases one object. */
    void release() {
        release(1);
    }

    /** Releases several objects. */
    void release(int count) {
        used.addAndGet(-count);
    }

    /** Creates the exception of a call that would exceed a limit of the device. */
    static VerbsException exhausted(String verb, int limit, String plural) {
        return new VerbsException(
                Errno.ENOMEM, verb, "all " + limit + " " + plural + " of the device are in use; close one first");
    }
}
