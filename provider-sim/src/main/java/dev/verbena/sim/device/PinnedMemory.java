// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.profile.Pinning;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;

/** Counts the pinned memory of a device, and enforces the limit of the device profile. Thread-safe. */
final class PinnedMemory {
    private final Pinning pinning;
    private final SimRuntime runtime;
    private long pinned;

    PinnedMemory(Pinning pinning, SimRuntime runtime) {
        this.pinning = pinning;
        this.runtime = runtime;
    }

    /** Pins memory, and waits for the duration that the device profile specifies for a registration. */
    void take(long bytes, String verb) throws VerbsException {
        synchronized (this) {
            if (bytes > pinning.maxBytes() - pinned) {
                throw new VerbsException(
                        Errno.ENOMEM,
                        verb,
                        "cannot pin " + bytes + " bytes: " + pinned + " of at most " + pinning.maxBytes()
                                + " are pinned; close regions, or raise the limit (ulimit -l, RLIMIT_MEMLOCK)");
            }
            pinned += bytes;
        }
        Duration time = pinning.time(bytes);
        if (time.isPositive()) {
            pass(time, bytes, verb);
        }
    }

    private void pass(Duration time, long bytes, String verb) throws VerbsException {
        try {
            runtime.await(() -> false, time);
        } catch (InterruptedException interrupted) {
            release(bytes);
            Thread.currentThread().interrupt();
            throw new VerbsException(Errno.EINTR, verb, "interrupted while memory was being pinned", interrupted);
        } catch (IllegalStateException inHandler) {
            release(bytes);
            throw inHandler;
        }
    }

    synchronized void release(long bytes) {
        pinned -= bytes;
    }
}
