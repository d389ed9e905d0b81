// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi.callerruns;

import dev.verbena.verbs.VerbsRuntime;

/** The fallback for a device without {@link CallerRuns}: threads of the {@link VerbsRuntime} execute the LND's tasks. */
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
