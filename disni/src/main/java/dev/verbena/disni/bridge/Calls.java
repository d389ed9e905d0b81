// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Calls methods of the SPI, and converts their exceptions to exceptions of DiSNI. */
final class Calls {
    /** The interval at which a wait without a time limit checks whether its event can still arrive. */
    private static final Duration SLICE = Duration.ofMillis(100);

    private Calls() {}

    interface Getter<T> {
        T get() throws VerbsException, InterruptedException;
    }

    interface Action {
        void run() throws VerbsException;
    }

    interface Waiter<T> {
        Optional<T> await(Duration timeout) throws VerbsException, InterruptedException;
    }

    static <T> T get(Getter<T> call) throws IOException {
        try {
            return call.get();
        } catch (VerbsException | IllegalArgumentException | IllegalStateException e) {
            throw new IOException(e.getMessage(), e);
        } catch (InterruptedException e) {
            throw (IOException) new InterruptedIOException("the waiting thread was interrupted").initCause(e);
        }
    }

    /** Executes {@code call}, and returns 0, which DiSNI's methods return on success. */
    static int run(Action call) throws IOException {
        return get(() -> {
            call.run();
            return 0;
        });
    }

    /**
     * Waits for an event for at most {@code timeout} milliseconds; as in DiSNI, a negative value means no limit. Without a
     * limit, this method also returns when the event can no longer arrive. Returns empty if no event arrived.
     */
    static <T> Optional<T> await(Waiter<T> call, int timeout, BooleanSupplier open) throws IOException {
        return get(() -> {
            Optional<T> found = call.await(timeout < 0 ? SLICE : Duration.ofMillis(timeout));
            while (found.isEmpty() && timeout < 0 && open.getAsBoolean()) {
                found = call.await(SLICE);
            }
            return found;
        });
    }

    /** Returns a memory segment over memory that the program owns. */
    @SuppressWarnings("restricted") // DiSNI's programs give addresses.
    static MemorySegment memoryAt(long address, long length) {
        return MemorySegment.ofAddress(address).reinterpret(length);
    }

    static IOException freed(String verb) {
        return new IOException(verb + ": the call was freed; create another one (EINVAL)");
    }

    static IOException destroyed(String verb, Object what) {
        return new IOException(verb + ": " + what + " is destroyed (EINVAL)");
    }
}
