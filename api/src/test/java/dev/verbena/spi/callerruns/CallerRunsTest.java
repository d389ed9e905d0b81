package dev.verbena.spi.callerruns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.verbena.verbs.VerbsRuntime;
import org.junit.jupiter.api.Test;

class CallerRunsTest {
    /** A runtime that only a provider of somebody else has: its tasks are the serial ones, and a call does nothing. */
    @Test
    void aRuntimeOfTheApiAloneServesTheLndWithItsSerialTasks() {
        VerbsRuntime runtime = mock();
        VerbsRuntime.SerialTask task = mock();
        Runnable body = () -> {};
        when(runtime.newSerialTask(body)).thenReturn(task);
        CallerRuns callerRuns = CallerRuns.of(runtime);

        callerRuns.beginCall();
        assertThat(callerRuns.newCallerRunsTask(body)).isSameAs(task);
        callerRuns.endCall();
    }
}
