// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.qp.LoopbackResponder;
import dev.verbena.sim.qp.QpContext;
import dev.verbena.sim.qp.QpEngine;
import dev.verbena.sim.runtime.ProgressTask;
import dev.verbena.sim.runtime.SimRuntime;
import java.util.function.Consumer;

/**
 * Runs the engines of one queue pair: its send task, its receive task, and the alarm of its timers.
 *
 * <p><b>Armed at rest.</b> While no pass of the send task is running or scheduled, the alarm is armed for the engine's
 * next deadline, if the engine has one. If a pass of the send task ends with an exception, the alarm is armed, too.
 */
final class EngineDriver {
    private final QpContext state;
    private final QpEngine engine;
    private final SimPort port;
    private final Consumer<Throwable> failure;
    private final ProgressTask sendTask;
    private final ProgressTask receiveTask;
    private final SendClock clock;

    /** Each exception that an engine throws in a run of the send task or receive task goes to a consumer ({@code failure}). */
    EngineDriver(SimRuntime runtime, QpContext state, QpEngine engine, SimPort port, Consumer<Throwable> failure) {
        this.state = state;
        this.engine = engine;
        this.port = port;
        this.failure = failure;
        sendTask = runtime.newProgressTask(this::sendPass);
        receiveTask = runtime.newProgressTask(this::receivePass);
        clock = new SendClock(runtime, engine, sendTask);
        LoopbackResponder loopbackResponder = engine.loopbackResponder();
        if (loopbackResponder != null) {
            receiveTask.setDeferredFlush(() -> flushDeferred(loopbackResponder));
        }
    }

    ProgressTask sendTask() {
        return sendTask;
    }

    ProgressTask receiveTask() {
        return receiveTask;
    }

    private boolean sendPass() {
        boolean more = stepSend();
        if (!more) {
            port.flush();
            clock.armAlarm();
        }
        return more;
    }

    private boolean stepSend() {
        try {
            return engine.stepSend(clock.tick()) || state.responses().hasOwnerPackets();
        } catch (Throwable thrown) {
            failure.accept(thrown);
            return false;
        }
    }

    private boolean receivePass() {
        boolean more = stepReceive();
        if (!more) {
            port.flush();
        }
        return more;
    }

    private boolean stepReceive() {
        try {
            return engine.stepReceive() || state.requests().hasOwnerPackets();
        } catch (Throwable thrown) {
            failure.accept(thrown);
            return false;
        }
    }

    private void flushDeferred(LoopbackResponder loopbackResponder) {
        try {
            loopbackResponder.flushDeferred();
        } catch (Throwable thrown) {
            failure.accept(thrown);
        }
    }

    void wake() {
        sendTask.schedule();
        receiveTask.schedule();
    }

    /** Prevents further passes of the send task and the receive task, and waits until no pass is running. */
    void disable() {
        sendTask.disable();
        receiveTask.disable();
    }

    void enable() {
        sendTask.enable();
        receiveTask.enable();
        sendTask.run();
        receiveTask.run();
    }

    /** Closes the alarm. The send task and the receive task must stay disabled after this call. */
    void close() {
        clock.close();
    }
}
