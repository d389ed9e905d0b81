// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi.callerruns;

import dev.verbena.verbs.VerbsRuntime;

/** For a runtime whose own threads run all tasks. */
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
