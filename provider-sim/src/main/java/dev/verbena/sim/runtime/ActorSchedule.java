// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Schedules the application threads under a {@link VirtualRuntime}: the main thread, and the threads that {@link
 * VirtualRuntime#actor} starts. At any time exactly one application thread runs; the other application threads are parked
 * in {@link #park}. When the running application thread waits, it executes tasks and timers until an application thread is
 * runnable, and passes control to that thread. Only the running application thread accesses the wait states of the
 * application threads. The atomic reference {@code holder} refers to the only application thread that may run. A write to
 * {@code holder} publishes the changed wait states to the application thread that runs next.
 */
final class ActorSchedule {
    /** The period at which a parked application thread samples the state of the running application thread. */
    private static final long SAMPLE_NANOS = Duration.ofMillis(20).toNanos();

    /**
     * If this number of consecutive samples finds the running thread blocked, the thread counts as blocked. Taking {@code
     * BLOCKED_SAMPLES} samples takes at least 1 second. A pause of the JVM is usually shorter than 1 second.
     */
    private static final int BLOCKED_SAMPLES = 50;

    /** Class name prefixes of the JDK and of this library. Stack frames of other classes belong to the application. */
    private static final List<String> LIBRARY = List.of("java.", "jdk.", "dev.verbena.");

    private final VirtualRuntime runtime;
    private final RandomGenerator random;
    private final VirtualActor main = new VirtualActor("main");
    private final List<VirtualActor> actors = new ArrayList<>(List.of(main));
    private final AtomicReference<VirtualActor> holder = new AtomicReference<>(main);

    /** The thread that is in {@link #await}, or null. */
    private volatile @Nullable Thread driver;

    private boolean evaluating;

    /**
     * The exception after an application thread has blocked outside of this library, otherwise null. All waits in progress
     * at that time, and the next wait of the blocked thread, throw it.
     */
    private volatile @Nullable IllegalStateException blocked;

    ActorSchedule(VirtualRuntime runtime) {
        this.runtime = runtime;
        this.random = runtime.newRandom("actors");
    }

    VirtualActor start(String name, VirtualActor.Body body) {
        Objects.requireNonNull(body);
        if (actors.stream().anyMatch(other -> other.name().equals(name))) {
            throw new IllegalArgumentException("an actor " + name + " runs already; give each actor its own name");
        }
        current();
        if (actors.size() == 1) {
            main.thread = Thread.currentThread();
        }
        VirtualActor actor = new VirtualActor(name);
        actor.waitFor(() -> true, Deadlines.NEVER);
        // This class detects a blocked application thread by its `Thread.State`. A virtual thread that waits for a
        // socket has the state WAITING. A platform thread that waits for a socket has the state RUNNABLE, like a thread
        // that is not blocked.
        Thread thread = Thread.ofVirtual().name(name).unstarted(() -> run(actor, body));
        actor.thread = thread;
        actors.add(actor);
        thread.start();
        return actor;
    }

    private void run(VirtualActor actor, VirtualActor.Body body) {
        park(actor);
        try {
            resume(actor);
            body.run();
        } catch (Throwable thrown) {
            if (holder.get() == actor && !runtime.isClosed()) {
                refuse(main, thrown);
            }
        } finally {
            actor.ended = true;
            if (holder.get() == actor) {
                actors.remove(actor);
                pass(runtime.isClosed() ? main : next());
            }
        }
    }

    private static void refuse(VirtualActor actor, Throwable thrown) {
        Throwable first = actor.refusal;
        if (first == null) {
            actor.refusal = thrown;
        } else if (!first.equals(thrown)) {
            first.addSuppressed(thrown);
        }
    }

    /** Waits as {@link VirtualRuntime#await} specifies. */
    boolean await(BooleanSupplier condition, long deadline) throws InterruptedException {
        VirtualActor self = current();
        if (runtime.isClosed() && self != main) {
            throw new IllegalStateException("the runtime of " + self + " is closed");
        }
        driver = Thread.currentThread();
        self.waitFor(condition, deadline);
        VirtualActor next = next();
        if (next != self) {
            pass(next);
            park(self);
        }
        return resume(self);
    }

    /**
     * Returns the {@link VirtualActor} of the calling thread.
     *
     * @throws IllegalStateException if the calling thread has no {@link VirtualActor}, or another thread advances virtual
     *     time
     */
    private VirtualActor current() {
        Thread thread = Thread.currentThread();
        VirtualActor self = holder.get();
        IllegalStateException reason = blocked;
        if (reason != null && !thread.equals(self.thread)) {
            throw reason;
        }
        Thread other = actors.size() == 1 ? driver : self.thread;
        if (other != null && !other.equals(thread)) {
            throw new IllegalStateException(thread.getName() + " uses a runtime in virtual time that " + other.getName()
                    + " drives; start each thread of the program with VirtualRuntime.actor");
        }
        return self;
    }

    private boolean resume(VirtualActor self) throws InterruptedException {
        self.condition = null;
        if (actors.size() == 1) {
            driver = null;
        }
        Throwable refusal = self.refusal;
        self.refusal = null;
        switch (refusal) {
            case null -> {}
            case InterruptedException interrupted -> throw interrupted;
            case RuntimeException unchecked -> throw unchecked;
            case Error error -> throw error;
            default -> throw new IllegalStateException("an actor or a task threw a checked exception", refusal);
        }
        return self.held;
    }

    /** Executes tasks and timers until an application thread is runnable. Returns that thread's {@link VirtualActor}. */
    private VirtualActor next() {
        while (true) {
            Throwable failure = runtime.takeFailure();
            if (failure != null) {
                refuse(main, failure);
            }
            int ready = 0;
            for (int i = 0; i < actors.size(); i++) {
                ready += canContinue(actors.get(i)) ? 1 : 0;
            }
            if (ready > 0) {
                return ready(ready == 1 ? 0 : random.nextInt(ready));
            }
            if (main.condition == null) {
                return main;
            }
            long deadline = Deadlines.NEVER;
            for (int i = 0; i < actors.size(); i++) {
                deadline = Math.min(deadline, actors.get(i).deadline);
            }
            try {
                if (!runtime.runNext(deadline)) {
                    endWaits(deadline);
                }
            } catch (RuntimeException | Error standstill) {
                refuse(main, standstill);
            }
        }
    }

    private VirtualActor ready(int index) {
        int before = 0;
        // An iterator would allocate memory at each wait, but the data path under virtual time must not allocate.
        for (int i = 0; i < actors.size(); i++) {
            if (actors.get(i).hasResult() && before++ == index) {
                return actors.get(i);
            }
        }
        throw new IllegalStateException("there is no actor " + index + " of those that can continue");
    }

    private boolean canContinue(VirtualActor actor) {
        evaluating = true;
        try {
            return mayEndWait(actor);
        } finally {
            evaluating = false;
        }
    }

    /**
     * Returns whether this class is evaluating a condition that an application thread waits for. The condition may poll a
     * completion queue but may not wait.
     */
    boolean isEvaluating() {
        return evaluating;
    }

    private boolean mayEndWait(VirtualActor actor) {
        if (actor.condition != null && isInterrupted(actor)) {
            actor.interrupted = false;
            refuse(
                    actor,
                    new InterruptedException("interrupted at virtual time " + Duration.ofNanos(runtime.nanoTime())));
        }
        boolean ready = actor.canContinue();
        if (!ready && actor.condition != null && runtime.isClosed()) {
            actor.timedOut = true;
            return true;
        }
        return ready;
    }

    /**
     * Returns whether an application thread was interrupted. While an application thread is parked, {@link
     * VirtualActor#interrupted} stores the thread's interrupt flag.
     */
    private static boolean isInterrupted(VirtualActor actor) {
        return actor.interrupted
                || Thread.currentThread().equals(Objects.requireNonNullElse(actor.thread, Thread.currentThread()))
                        && Thread.interrupted();
    }

    /**
     * Advances virtual time to a deadline. Waits with this deadline time out. If {@code deadline} is {@code NEVER}, all
     * waits fail, because no queued task, timer or timeout is left.
     */
    private void endWaits(long deadline) {
        if (deadline == Deadlines.NEVER) {
            IllegalStateException stall =
                    new IllegalStateException("no event can happen any more, and the wait has no timeout; "
                            + runtime.describeStall() + describe());
            actors.forEach(actor -> refuse(actor, stall));
            return;
        }
        runtime.advanceTo(deadline);
        for (int i = 0; i < actors.size(); i++) {
            VirtualActor actor = actors.get(i);
            if (actor.deadline <= deadline && !canContinue(actor)) {
                actor.timedOut = true;
            }
        }
    }

    /** Returns a line of text for each application thread; an empty string if only the main thread exists. */
    private String describe() {
        return actors.size() == 1
                ? ""
                : actors.stream()
                        .map(actor -> "\n" + actor + " waits in " + position(actor))
                        .collect(Collectors.joining());
    }

    /** Returns the library call that an application thread is executing, and the application's source line of this call. */
    private static String position(VirtualActor actor) {
        Thread thread = Objects.requireNonNullElse(actor.thread, Thread.currentThread());
        String call = "its first line";
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (LIBRARY.stream().noneMatch(frame.getClassName()::startsWith)) {
                return call + ", called at " + frame;
            }
            String type = frame.getClassName();
            call = type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName();
        }
        return call;
    }

    private void pass(VirtualActor next) {
        holder.set(next);
        LockSupport.unpark(next.thread);
    }

    /**
     * Parks the calling application thread until {@code holder} refers to it. Every {@link #SAMPLE_NANOS}, the parked
     * thread wakes up and checks whether the running application thread is blocked.
     */
    private void park(VirtualActor self) {
        VirtualActor watched = null;
        int samples = 0;
        while (holder.get() != self) {
            LockSupport.parkNanos(this, SAMPLE_NANOS);
            if (Thread.interrupted()) {
                self.interrupted = true;
            }
            VirtualActor seen = holder.get();
            samples = seen == watched && (runtime.isClosed() || isBlocked(seen)) ? samples + 1 : 0;
            watched = seen;
            if (samples == BLOCKED_SAMPLES && holder.compareAndSet(seen, self)) {
                takeFrom(seen);
                VirtualActor next = next();
                if (next != self) {
                    pass(next);
                }
                samples = 0;
            }
        }
    }

    private static boolean isBlocked(VirtualActor actor) {
        Thread thread = actor.thread;
        return thread != null
                && switch (thread.getState()) {
                    case BLOCKED, WAITING, TIMED_WAITING -> true;
                    case NEW, RUNNABLE, TERMINATED -> false;
                };
    }

    /**
     * Makes all waits throw an exception. Called if the running application thread blocks outside of this library. All
     * other application threads are waiting, so the application might never continue.
     */
    private void takeFrom(VirtualActor actor) {
        Thread thread = Objects.requireNonNull(actor.thread);
        IllegalStateException reason = new IllegalStateException(actor
                + " blocks outside the SPI while all other threads of the program wait for it; wait through the SPI, or"
                + " through VirtualRuntime.await");
        reason.setStackTrace(thread.getStackTrace());
        blocked = reason;
        if (actor != main) {
            actors.remove(actor);
        }
        actors.forEach(other -> refuse(other, reason));
        thread.interrupt();
    }

    /** Makes the simulated application threads exit. The main thread calls {@code close} when it closes the runtime. */
    void close() {
        for (VirtualActor actor : List.copyOf(actors)) {
            if (actor != main && holder.compareAndSet(main, actor)) {
                LockSupport.unpark(actor.thread);
                main.condition = () -> true;
                park(main);
                main.condition = null;
            }
        }
    }
}
