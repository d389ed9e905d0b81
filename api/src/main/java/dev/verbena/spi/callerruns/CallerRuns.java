// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi.callerruns;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceExtension;
import dev.verbena.verbs.VerbsRuntime;

/**
 * If a call into the LND schedules tasks, the calling thread executes these tasks itself, as with {@link
 * java.util.concurrent.ThreadPoolExecutor.CallerRunsPolicy}. The calling thread can send a message through the LND without
 * waking another thread. If a device lacks {@code CallerRuns}, threads of its {@link VerbsRuntime} execute the LND's tasks.
 */
public interface CallerRuns extends DeviceExtension {
    /**
     * Returns the {@code CallerRuns} of a device, or a fallback implementation if the device lacks this optional interface.
     *
     * @param device an open device
     * @return the device's {@code CallerRuns}. If the device lacks it, the returned fallback creates each {@code
     *     SerialTask} by {@code newSerialTask}, and ignores {@link #beginCall} and {@link #endCall}
     */
    static CallerRuns of(Device device) {
        return device.extension(CallerRuns.class).orElseGet(() -> new RuntimeRuns(device.runtime()));
    }

    /**
     * Creates a {@code SerialTask} as {@link VerbsRuntime#newSerialTask} does. An application thread may run the task's
     * body in {@link #endCall}. The body must never call a handler or other application code.
     *
     * @param body the function that each execution of the task calls; it must meet the requirements of {@link
     *     VerbsRuntime#newSerialTask}
     * @return a new {@code SerialTask}, which is executed only after a call of its {@code schedule} method
     */
    VerbsRuntime.SerialTask newCallerRunsTask(Runnable body);

    /**
     * Begins a call into the LND, such as one that sends a message. Until {@link #endCall}, the {@link VerbsRuntime} may
     * defer each task that the calling thread schedules. Deferred tasks can be of any type, including calls of a {@link
     * CallerRunsHandler} and tasks of {@link #newCallerRunsTask}. A thread can nest calls into the LND. The thread must not
     * wait between {@code beginCall} and {@link #endCall}.
     */
    void beginCall();

    /**
     * Ends the call that the last {@link #beginCall} of this thread began. The outermost {@code endCall} of a thread
     * executes tasks that the call into the LND has scheduled. After a fraction of a millisecond, {@code endCall} leaves
     * the remaining tasks to the worker threads of the {@link VerbsRuntime}. The caller must not hold a lock that a
     * scheduled task acquires. If a task throws an exception, the uncaught exception handler of the calling thread gets the
     * exception.
     *
     * @throws IllegalStateException if each {@link #beginCall} of this thread already has its {@code endCall}; the fallback
     *     of {@link #of} does not check this
     */
    void endCall();
}
