// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi.callerruns;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceExtension;
import dev.verbena.verbs.VerbsRuntime;

/**
 * If a call into the LND makes tasks runnable, the calling thread runs these tasks itself, as with {@link
 * java.util.concurrent.ThreadPoolExecutor.CallerRunsPolicy}. The calling thread can send a message through the LND without
 * waking another thread. If a device lacks {@code CallerRuns}, the threads of the device's runtime run the LND's tasks.
 */
public interface CallerRuns extends DeviceExtension {
    /**
     * Returns the {@code CallerRuns} of a device, or a replacement if the device lacks the extension.
     *
     * @param device an open device
     * @return the extension. If the device lacks the extension, the returned object creates tasks by {@code newSerialTask},
     *     and ignores {@link #beginCall} and {@link #endCall}
     */
    static CallerRuns of(Device device) {
        return device.extension(CallerRuns.class).orElseGet(() -> new RuntimeRuns(device.runtime()));
    }

    /**
     * Creates a task as {@link VerbsRuntime#newSerialTask} does. A thread of the program that calls {@link #endCall} may
     * run the body of the task. The body of the task must never call a handler or other code of the program.
     *
     * @param body the code that one run of the task executes; the rules of {@link VerbsRuntime#newSerialTask} apply to
     *     the code
     * @return a new task, which runs only after it is scheduled
     */
    VerbsRuntime.SerialTask newCallerRunsTask(Runnable body);

    /**
     * Begins a call into the LND, such as one that sends a message. Until {@link #endCall}, the runtime may defer each task
     * that the calling thread makes runnable. The runtime may defer any kind of task, including a call of a {@link
     * CallerRunsHandler} and a task of {@link #newCallerRunsTask}. A thread can nest calls into the LND. The thread must
     * not wait between {@code beginCall} and {@link #endCall}.
     */
    void beginCall();

    /**
     * Ends the call that the last {@link #beginCall} of this thread began. When a thread ends its outermost call into the
     * LND, the thread runs tasks that the call has scheduled. After a fraction of a millisecond in {@code endCall}, the
     * thread leaves the remaining tasks to the runtime's worker threads. The caller must not hold a lock that a scheduled
     * task acquires. If a task throws an exception, the uncaught exception handler of the calling thread gets the
     * exception.
     *
     * @throws IllegalStateException if the runtime defers tasks to the end of a call, and {@link #beginCall} was not called by
     *     this thread
     */
    void endCall();
}
