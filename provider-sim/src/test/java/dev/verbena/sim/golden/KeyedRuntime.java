// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.golden;

import dev.verbena.sim.runtime.Alarm;
import dev.verbena.sim.runtime.ProgressTask;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** Virtual time, with low bytes of memory keys that the test chooses. */
final class KeyedRuntime implements SimRuntime {
    private final VirtualRuntime inner = new VirtualRuntime(1);
    private int lowByte;

    /** Sets the last byte of keys made from now on. */
    void lowByte(int value) {
        lowByte = value;
    }

    @Override
    public RandomGenerator newRandom(String purpose) {
        return purpose.startsWith("keys of ") ? () -> (long) lowByte << Integer.SIZE : inner.newRandom(purpose);
    }

    @Override
    public ProgressTask newProgressTask(Pass pass, boolean runsNothingOfTheProgram) {
        return inner.newProgressTask(pass, runsNothingOfTheProgram);
    }

    @Override
    public Alarm newAlarm(Runnable expired) {
        return inner.newAlarm(expired);
    }

    @Override
    public long seed() {
        return inner.seed();
    }

    @Override
    public boolean isVirtual() {
        return inner.isVirtual();
    }

    @Override
    public long nanoTime() {
        return inner.nanoTime();
    }

    @Override
    public Instant now() {
        return inner.now();
    }

    @Override
    public SerialTask newSerialTask(Runnable body) {
        return inner.newSerialTask(body);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return inner.schedule(delay, task);
    }

    @Override
    public boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        return inner.await(condition, timeout);
    }

    @Override
    public void wakeUp() {
        inner.wakeUp();
    }

    @Override
    public void failed(Throwable thrown) {
        inner.failed(thrown);
    }

    @Override
    public void close() {
        inner.close();
    }
}
