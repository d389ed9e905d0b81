// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Makes calls of the SPI, and converts their exceptions to those of DiSNI. */
final class Calls {
    /** The interval at which a wait without a time limit checks whether it can still end. */
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

    /** Returns 0, DiSNI's result of a call that succeeded. */
    static int run(Action call) throws IOException {
        return get(() -> {
            call.run();
            return 0;
        });
    }

    /**
     * Waits for at most {@code timeout} milliseconds, without a limit if {@code timeout} is negative, as DiSNI does. A
     * wait without a limit continues only while {@code open} returns true. Returns empty if the wait ended without a
     * result.
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

    /** Returns a segment over memory that the program owns. */
    @SuppressWarnings("restricted") // DiSNI's programs give addresses.
    static MemorySegment memoryAt(long address, long length) {
        return MemorySegment.ofAddress(address).reinterpret(length);
    }

    static IOException freed(String verb) {
        return new IOException(verb + ": the call was freed; make another (EINVAL)");
    }

    static IOException destroyed(String verb, Object what) {
        return new IOException(verb + ": " + what + " is destroyed (EINVAL)");
    }
}
