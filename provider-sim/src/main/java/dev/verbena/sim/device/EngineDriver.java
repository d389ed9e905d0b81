// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.sim.qp.LoopbackResponder;
import dev.verbena.sim.qp.QpContext;
import dev.verbena.sim.qp.QpEngine;
import dev.verbena.sim.runtime.ProgressTask;
import dev.verbena.sim.runtime.SimRuntime;
import java.util.function.Consumer;

/**
 * Runs a QP's requester and completer in a send task, and its responder in a receive task. A timer schedules the send task.
 *
 * <p><b>Armed at rest.</b> While the send task is neither running nor scheduled, the timer is set to the next deadline of
 * requester and completer, if any. The timer is set even if the last iteration of the send task threw an exception.
 */
final class EngineDriver {
    private final QpContext state;
    private final QpEngine engine;
    private final SimPort port;
    private final Consumer<Throwable> failure;
    private final ProgressTask sendTask;
    private final ProgressTask receiveTask;
    private final SendClock clock;

    /**
     * If the requester, completer or responder throws an exception in the send task or receive task, the consumer {@code
     * failure} gets the exception.
     */
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

    /**
     * Makes the send task and the receive task handle the packets that arrived before this call. If another thread runs the
     * send task or the receive task, this method waits at most about one second for that thread.
     */
    void awaitRequestedRuns() {
        sendTask.awaitRequestedRun();
        receiveTask.awaitRequestedRun();
    }

    /** Prevents further executions of the send task and the receive task, and waits until neither task is running. */
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

    /** Closes the timer. After this call, no thread may enable the send task or the receive task of the queue pair. */
    void close() {
        clock.close();
    }
}
