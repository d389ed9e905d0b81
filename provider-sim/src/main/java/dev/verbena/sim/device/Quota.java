package dev.verbena.sim.device;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.concurrent.atomic.AtomicInteger;

/** How many objects of a kind a device may have at once, where it needs no table of them. May be used from several threads. */
final class Quota {
    private final String plural;
    private final int limit;
    private final AtomicInteger used = new AtomicInteger();

    /** A quota for objects whose name in the plural is such as {@code completion queues}. */
    Quota(String plural, int limit) {
        this.plural = plural;
        this.limit = limit;
    }

    /** Takes one, to be released when the object is closed. */
    void take(String verb) throws VerbsException {
        take(1, verb);
    }

    /** Takes several, or none if there are not as many. */
    void take(int count, String verb) throws VerbsException {
        int before;
        do {
            before = used.get();
            if (count > limit - before) {
                throw exhausted(verb, limit, plural);
            }
        } while (!used.compareAndSet(before, before + count));
    }

    /** Gives one back. */
    void release() {
        release(1);
    }

    /** Gives several back. */
    void release(int count) {
        used.addAndGet(-count);
    }

    /** What a call gets when a limit is reached, whoever counts. */
    static VerbsException exhausted(String verb, int limit, String plural) {
        return new VerbsException(
                Errno.ENOMEM, verb, "all " + limit + " " + plural + " of the device are in use; close one first");
    }
}
