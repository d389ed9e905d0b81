// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.fault.provider.FaultyCall;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.Errno;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

/** A node whose start ends with an exception of the provider leaves nothing open. */
class NodeStartTest {
    private final EventChannel channel = mock(EventChannel.class);
    private final ConnectionId id = mock(ConnectionId.class);
    private final ConnectionManager manager = mock(ConnectionManager.class);

    private void start() throws Exception {
        LnetNode.start(manager, InetAddress.ofLiteral("10.0.0.1"), Nid.parse("10.0.0.1@o2ib"), O2ibTunables.defaults());
    }

    @Test
    void nothingStaysOpenWhenTheProviderThrowsAnUncheckedException() throws Exception {
        when(manager.createEventChannel()).thenReturn(channel);
        when(manager.createId(any(), any(), any())).thenReturn(id);
        doThrow(new IllegalStateException("closed")).when(id).bind(any());

        assertThatIllegalStateException().isThrownBy(this::start);

        verify(id).close();
        verify(channel).close();
    }

    /** The lab finds objects that are still open when it is closed. */
    @Test
    void nothingStaysOpenWhenThereIsNoMemoryForTheNode() throws Exception {
        try (Lab lab = new Lab(1).failing(FaultyCall.VERBS_ARENA_ALLOCATE, 1, Errno.ENOMEM)) {
            assertThat(catchThrowable(() -> lab.start(1))).isInstanceOf(OutOfMemoryError.class);

            assertThat(lab.provider().leaks()).isEmpty();
            lab.start(1);
        }
    }
}
