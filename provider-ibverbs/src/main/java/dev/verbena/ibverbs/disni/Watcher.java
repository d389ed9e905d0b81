package dev.verbena.ibverbs.disni;

import dev.verbena.ibverbs.internal.UseGuard;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that waits inside of DiSNI, in slices, for DiSNI tells no descriptor that anything else could wait on. It ends when
 * the object that it looks at is closed.
 */
final class Watcher {
    /** How long a look may take, and so how long closing may wait for it. */
    static final int SLICE_MILLIS = 20;

    private static final long PAUSE_NANOS = 1_000_000;

    private final UseGuard guard;
    private final Looking looking;
    private final Thread thread;
    private final AtomicInteger closers = new AtomicInteger();

    /** A look at the object, which waits for at most the given time. */
    @FunctionalInterface
    interface Looking {
        /**
         * Looks.
         *
         * @return what to do about it once the object is no longer in use by this thread
         */
        Optional<Runnable> look(int milliseconds) throws IOException;
    }

    Watcher(String name, UseGuard guard, Looking looking) {
        this.guard = guard;
        this.looking = looking;
        thread = new WallRuntime.HandlerThread(name, this::run);
    }

    void start() {
        thread.start();
    }

    /** Ends the object, for which this thread makes room; as {@link UseGuard#end}. */
    boolean end(UseGuard.Ending ending) throws VerbsException {
        closers.incrementAndGet();
        try {
            return guard.end(ending);
        } finally {
            closers.decrementAndGet();
        }
    }

    private void run() {
        while (!guard.isClosed()) {
            if (closers.get() > 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            } else {
                WallRuntime.shielded(this::turn);
            }
        }
    }

    private void turn() {
        boolean found = false;
        try {
            Optional<Runnable> act = look();
            found = act.isPresent();
            act.ifPresent(WallRuntime::shielded);
        } finally {
            if (!found) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private Optional<Runnable> look() {
        if (!guard.tryEnter()) {
            return Optional.empty();
        }
        try {
            return looking.look(SLICE_MILLIS);
        } catch (IOException broken) {
            return Optional.empty(); // Who uses the object is told by its own calls.
        } finally {
            guard.exit();
        }
    }
}
