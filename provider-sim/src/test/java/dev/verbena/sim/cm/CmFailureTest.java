// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.PortSpace;
import dev.verbena.sim.runtime.Alarm;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.VirtualRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connection management continues after an action threw or an id was closed. */
class CmFailureTest {
    private static final int PORT = 7;

    @Test
    void anActionThatThrowsDelaysNoOther() {
        CmLock lock = new CmLock();
        List<Integer> carriedOut = new ArrayList<>();
        assertThatThrownBy(() -> lock.run(() -> {
                    lock.afterUnlock(() -> carriedOut.add(1));
                    lock.afterUnlock(() -> {
                        throw new IllegalStateException("the second");
                    });
                    lock.afterUnlock(() -> {
                        throw new IllegalArgumentException("the third");
                    });
                    lock.afterUnlock(() -> carriedOut.add(4));
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the second")
                .hasSuppressedException(new IllegalArgumentException("the third"));
        assertThat(carriedOut).containsExactly(1, 4);
    }

    @Test
    void aClosedIdLeavesNoAlarmInTheQueueOfTheRuntime() throws Exception {
        VirtualRuntime time = new VirtualRuntime(5);
        MadWire wire = MadWire.delayed(time);
        SimRuntime runtime = mock(SimRuntime.class, delegatesTo(time));
        CmHost client = new CmHost(runtime, wire, "10.0.0.1");
        CmHost server = new CmHost(time, wire, "10.0.0.2");
        client.cannotReach(server.address);
        Alarm alarm = mock(Alarm.class);
        doReturn(alarm).when(runtime).newAlarm(any());
        ConnectionId id = client.newId(PortSpace.TCP);
        id.resolveAddress(null, server.at(PORT), Duration.ofHours(1));
        id.close();
        verify(alarm).close();
    }
}
