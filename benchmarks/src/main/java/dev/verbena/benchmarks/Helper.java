// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import java.util.concurrent.locks.LockSupport;

/** A second thread that runs the function {@code part} in each measurement, and parks between measurements. */
final class Helper implements AutoCloseable {
    private final Runnable part;
    private final Thread thread;
    private volatile long asked;
    private volatile long done;
    private volatile boolean closed;

    Helper(String name, Runnable part) {
        this.part = part;
        thread = Thread.ofPlatform().daemon().name("verbena-" + name).start(this::work);
    }

    void begin() {
        asked = done + 1;
        LockSupport.unpark(thread);
    }

    void await() {
        for (int looks = 0; done != asked; looks++) {
            Spin.turn(looks);
        }
    }

    private void work() {
        while (!closed) {
            if (done == asked) {
                LockSupport.park(this);
            } else {
                part.run();
                done = asked;
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
