// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anySet;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Unchecked exceptions, and a shutdown, while a node opens a device: all objects made until then are closed. */
class ThrowingDeviceTest {
    private static final Duration SOON = Duration.ofMinutes(1);

    private static UnsupportedOperationException fault() {
        return new UnsupportedOperationException("a fault");
    }

    @Test
    void aNodeThatIsShutDownDuringTheMoveDoesNotListenOnTheNewDevice() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            ConnectionManager real = lab.manager();
            ConnectionManager manager = mock(ConnectionManager.class, delegatesTo(real));
            LnetNode node = lab.start(manager, 1, lab.tunables().failover(true).build());
            NetworkInterface ni = node.ni();
            HcaDevice old = ni.hca();
            doAnswer(call -> {
                        synchronized (DriverParts.lock(node)) {
                            ni.shutdown();
                            // So that the thread that closes the node waits.
                            assertThat(node.lnd().failover().isIdle()).isFalse();
                        }
                        return delegatesTo(real).answer(call);
                    })
                    .when(manager)
                    .createId(any(), any(), any());
            lab.provider().unplug("sim0");
            lab.provider().plug(SimDeviceSpec.of("spare", "10.0.0.1"));

            lab.pass(SOON);

            assertThat(ni.hca()).isEqualTo(old);
            assertThat(node.lnd().failover().isIdle()).isTrue();
            assertThatCode(() -> lab.start(1)).as("the port is free").doesNotThrowAnyException();
        }
    }

    @Test
    void aNodeWhoseNewListenerThrowsMovesWithTheNextAttempt() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            ConnectionManager real = lab.manager();
            ConnectionManager manager = mock(ConnectionManager.class, delegatesTo(real));
            LnetNode node = lab.start(manager, 1, lab.tunables().failover(true).build());
            doAnswer(call -> {
                        ConnectionId id = (ConnectionId) delegatesTo(real).answer(call);
                        ConnectionId throwing = mock(ConnectionId.class, delegatesTo(id));
                        doThrow(fault()).when(throwing).listen(anyInt());
                        return throwing;
                    })
                    .doAnswer(delegatesTo(real))
                    .when(manager)
                    .createId(any(), any(), any());
            lab.provider().unplug("sim0");
            lab.provider().plug(SimDeviceSpec.of("spare", "10.0.0.1"));

            assertThatThrownBy(() -> lab.pass(SOON)).hasMessage("a fault");
            lab.pass(SOON);

            assertThat(node.ni().device().name()).isEqualTo("spare");
            assertThat(node.isUp()).isTrue();
        }
    }

    @Test
    void anHcaWhoseConstructionThrowsLeavesNothingOpen() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            NetworkInterface ni = lab.start(1).ni();
            Device throwing = mock(Device.class, delegatesTo(ni.device()));
            ProtectionDomain domain =
                    mock(ProtectionDomain.class, delegatesTo(ni.device().allocatePd()));
            VerbsArena arena = mock(VerbsArena.class, delegatesTo(ni.device().newArena()));
            doReturn(domain).when(throwing).allocatePd();
            doReturn(arena).when(throwing).newArena();
            doThrow(fault()).when(domain).registerMemory(any(MemorySegment.class), anySet());
            doThrow(fault()).when(domain).registerMemory(any(MemorySegment.class), anyLong(), anySet());

            assertThatThrownBy(() -> new HcaDevice(ni, ni.hca().listener(), throwing))
                    .hasMessage("a fault");

            verify(arena).close();
            verify(domain).close();
        }
    }

    @Test
    void aNetWhoseTasksCannotBeMadeLeavesNothingOpen() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            NodeContext context = lab.start(1).lnd().context();
            NetworkInterface ni = context.interfaces().getFirst();
            VerbsRuntime runtime = mock(VerbsRuntime.class, delegatesTo(lab.runtime()));
            doThrow(fault()).when(runtime).newSerialTask(any());
            Device throwing = mock(Device.class, delegatesTo(ni.device()));
            doReturn(runtime).when(throwing).runtime();

            assertThatThrownBy(() -> new O2ibLnd(
                            ni.nid(),
                            ni.address(),
                            context.tunables(),
                            context.manager(),
                            context.channel(),
                            ni.hca().listener(),
                            throwing,
                            context.host()))
                    .hasMessage("a fault");
        }
    }
}
