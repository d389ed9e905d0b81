package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anySet;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Unchecked exceptions, and a shutdown, while a node opens a device: whatever was made is closed. */
class ThrowingDeviceTest {
    private static UnsupportedOperationException fault() {
        return new UnsupportedOperationException("a fault");
    }

    @Test
    void anHcaWhoseConstructionThrowsLeavesNothingOpen() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            Net net = lab.start(1).net();
            Device throwing = mock(Device.class, delegatesTo(net.device()));
            ProtectionDomain domain = mock(ProtectionDomain.class, delegatesTo(net.device().allocatePd()));
            VerbsArena arena = mock(VerbsArena.class, delegatesTo(net.device().newArena()));
            doReturn(domain).when(throwing).allocatePd();
            doReturn(arena).when(throwing).newArena();
            doThrow(fault()).when(domain).registerMemory(any(MemorySegment.class), anySet());
            doThrow(fault()).when(domain).registerMemory(any(MemorySegment.class), anyLong(), anySet());

            assertThatThrownBy(() -> new Hca(net, net.hca().listener(), throwing))
                    .hasMessage("a fault");

            verify(arena).close();
            verify(domain).close();
        }
    }

    @Test
    void aNetWhoseTasksCannotBeMadeLeavesNothingOpen() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            Net net = lab.start(1).net();
            VerbsRuntime runtime = mock(VerbsRuntime.class, delegatesTo(lab.runtime()));
            doThrow(fault()).when(runtime).newSerialTask(any());
            Device throwing = mock(Device.class, delegatesTo(net.device()));
            doReturn(runtime).when(throwing).runtime();

            assertThatThrownBy(() -> new Net(
                            net.nid(),
                            net.address(),
                            net.tunables(),
                            net.manager(),
                            net.channel(),
                            net.hca().listener(),
                            throwing,
                            net.host()))
                    .hasMessage("a fault");
        }
    }
}
