package dev.verbena.ibverbs;

import dev.verbena.ibverbs.internal.WallRuntime;
import dev.verbena.ibverbs.struct.Pollfd;
import dev.verbena.verbs.VerbsException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The event thread of a context: waits in {@code poll}(2) on the descriptors of its sources, and lets each read what came and
 * call its handlers. It never spins: a descriptor at its end is not looked at again.
 */
final class EventLoop implements AutoCloseable {
    /** So that a wake-up that the kernel lost would cost a second, not the program. */
    private static final int DEADLINE_MILLIS = 1_000;

    private final Descriptors descriptors;
    private final int wakeUp;
    private final List<Source> sources = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile boolean stopped;
    private boolean ended;

    /** Something that can be read. */
    interface Source {
        int descriptor();

        /** Reads what is there, without blocking, and passes it on; what it throws is reported and stops nothing. */
        void drain();
    }

    EventLoop(String name, Descriptors descriptors) throws VerbsException {
        this.descriptors = descriptors;
        wakeUp = descriptors.newSignal();
        thread = new WallRuntime.HandlerThread("verbena-" + name + "-events", this::run);
    }

    void start() {
        thread.start();
    }

    void add(Source source) {
        sources.add(source);
        wakeUp();
    }

    void remove(Source source) {
        sources.remove(source);
        wakeUp();
    }

    /** Under the monitor, since a descriptor that is closed may already be another's. */
    private synchronized void wakeUp() {
        if (!ended) {
            descriptors.signal(wakeUp);
        }
    }

    private void run() {
        try {
            serve();
        } finally {
            synchronized (this) {
                ended = true;
                descriptors.close(wakeUp);
            }
        }
    }

    private void serve() {
        while (!stopped) {
            List<Source> now = List.copyOf(sources);
            int[] watched = new int[now.size() + 1];
            watched[0] = wakeUp;
            for (int i = 0; i < now.size(); i++) {
                watched[i + 1] = now.get(i).descriptor();
            }
            int[] answers = descriptors.await(watched, DEADLINE_MILLIS);
            if (answers[0] != 0) {
                descriptors.clear(wakeUp);
            }
            for (int i = 0; i < now.size() && !stopped; i++) {
                serve(now.get(i), answers[i + 1]);
            }
        }
    }

    private void serve(Source source, int answer) {
        if (answer != 0) {
            WallRuntime.shielded(source::drain);
        }
        if ((answer & Pollfd.ENDED) != 0) {
            sources.remove(source);
        }
    }

    /**
     * Stops the thread; does not wait for it, as a handler may be what closes the device or waits for it to be closed. What a
     * source reads is guarded by the handle of what it reads from.
     */
    @Override
    public void close() {
        stopped = true;
        wakeUp();
    }
}
