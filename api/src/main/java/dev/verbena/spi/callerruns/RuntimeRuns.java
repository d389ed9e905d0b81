// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi.callerruns;

import dev.verbena.verbs.VerbsRuntime;

/** Used if a device lacks the extension {@link CallerRuns}: the threads of the runtime run all tasks. */
record RuntimeRuns(VerbsRuntime runtime) implements CallerRuns {
    @Override
    public VerbsRuntime.SerialTask newCallerRunsTask(Runnable body) {
        return runtime.newSerialTask(body);
    }

    @Override
    public void beginCall() {}

    @Override
    public void endCall() {}
}
