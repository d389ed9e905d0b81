// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi.callerruns;

import dev.verbena.verbs.VerbsRuntime;

/** Replaces a missing {@link CallerRuns} extension. Threads of the {@link VerbsRuntime} run the LND's tasks. */
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
