// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi.callerruns;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceExtension;
import dev.verbena.verbs.VerbsRuntime;

/**
 * Lets the thread that calls the LND run the tasks that its call makes runnable, as {@link
 * java.util.concurrent.ThreadPoolExecutor.CallerRunsPolicy} does. That saves waking another thread for each message. Over a device
 * without this extension the LND's tasks run in the threads of the device's runtime.
 */
public interface CallerRuns extends DeviceExtension {
    /**
     * Returns this extension of a device.
     *
     * @param device an open device
     * @return the extension if the device has it. Otherwise an object that makes its tasks by
     *     {@link VerbsRuntime#newSerialTask} and ignores the beginning and end of a call
     */
    static CallerRuns of(Device device) {
        return device.extension(CallerRuns.class).orElseGet(() -> new RuntimeRuns(device.runtime()));
    }

    /**
     * Makes a task as {@link VerbsRuntime#newSerialTask} does, but one that runs no code of the program. So any thread
     * of the program may run it at the end of a {@linkplain #beginCall() call}.
     *
     * @param body the work of one run, as for {@link VerbsRuntime#newSerialTask}
     * @return a new task that is idle
     */
    VerbsRuntime.SerialTask newCallerRunsTask(Runnable body);

    /**
     * Begins a call of the LND, such as one that sends a message. The runtime may keep the tasks that the calling thread makes runnable
     * until the call ends: work of devices, {@linkplain CallerRunsHandler handlers} and {@linkplain #newCallerRunsTask tasks} of the
     * LND. Other tasks that the thread schedules may begin only when the call ends. Calls nest, and may not wait.
     */
    void beginCall();

    /**
     * Ends the call that the calling thread began last. At the end of the outermost call the thread runs tasks that the
     * runtime kept for it, for a fraction of a millisecond; the threads of the runtime run the rest. The caller holds
     * no lock that such a task takes. An exception of a task goes to the thread's uncaught exception handler.
     *
     * @throws IllegalStateException if the runtime keeps tasks and the thread has begun no call
     */
    void endCall();
}
