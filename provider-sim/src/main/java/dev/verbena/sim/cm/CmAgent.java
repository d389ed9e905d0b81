// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.sim.cm.engine.CmCounters;
import dev.verbena.sim.cm.engine.CmEngine;
import dev.verbena.sim.cm.engine.CmOutput;
import dev.verbena.sim.runtime.Alarm;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.DeviceAttributes;
import dev.verbena.verbs.Gid;
import java.lang.foreign.MemorySegment;

/** Connects the CM state machine ({@link CmEngine}) of one device to the device's QP1, a clock and a timer. */
final class CmAgent implements CmOutput, MadPort.Receiver {
    private final CmDevice device;
    private final SimRuntime runtime;
    private final CmLock lock;
    private final Alarm alarm;
    private final CmEngine engine;

    CmAgent(CmDevice device, SimRuntime runtime, CmLock lock, CmCounters counters) {
        this.device = device;
        this.runtime = runtime;
        this.lock = lock;
        this.alarm = runtime.newAlarm(this::onAlarm);
        DeviceAttributes attributes = device.context().attributes();
        this.engine = new CmEngine(
                attributes.nodeGuid().value(),
                attributes.localCaAckDelay(),
                device.pathMtu(),
                runtime.newRandom("cm " + device.context().name()),
                this,
                counters);
    }

    void start() {
        device.madPort().receiver(this);
    }

    CmDevice device() {
        return device;
    }

    CmEngine engine() {
        return engine;
    }

    long now() {
        return runtime.nanoTime();
    }

    @Override
    public void onMad(Gid source, Gid destination, MemorySegment mad) {
        lock.run(() -> engine.onMad(source, destination, mad, runtime.nanoTime()));
    }

    private void onAlarm() {
        lock.run(() -> engine.onTime(runtime.nanoTime()));
    }

    @Override
    public void send(Gid source, Gid destination, MemorySegment mad) {
        lock.afterUnlock(() -> device.madPort().send(source, destination, mad));
    }

    @Override
    public void wakeAt(long nanoTime) {
        if (nanoTime == NEVER) {
            alarm.clear();
        } else {
            alarm.set(nanoTime);
        }
    }
}
