// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi.callerruns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.VerbsRuntime;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CallerRunsTest {
    /** Its tasks are the serial ones of the runtime, and a call does nothing. */
    @Test
    void aDeviceWithoutTheExtensionServesTheLndWithSerialTasks() {
        Device device = mock();
        VerbsRuntime runtime = mock();
        when(device.extension(CallerRuns.class)).thenReturn(Optional.empty());
        when(device.runtime()).thenReturn(runtime);
        VerbsRuntime.SerialTask task = mock();
        Runnable body = () -> {};
        when(runtime.newSerialTask(body)).thenReturn(task);
        CallerRuns callerRuns = CallerRuns.of(device);

        callerRuns.beginCall();
        assertThat(callerRuns.newCallerRunsTask(body)).isSameAs(task);
        callerRuns.endCall();
    }
}
