// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class CmListenerTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(7471);

    private final ConnectionManager manager = mock(ConnectionManager.class);
    private final ConnectionId listening = mock(ConnectionId.class);
    private final ConnectionId requested = mock(ConnectionId.class);
    private final EventChannel channel = mock(EventChannel.class);

    /** The id of a request is on the listener's channel until it is migrated. */
    @Test
    void closingWaitsForARequestThatWasTakenAndNotYetMigrated() throws Exception {
        CmEvent request = mock(CmEvent.class);
        when(request.type()).thenReturn(CmEventType.CONNECT_REQUEST);
        when(request.id()).thenReturn(requested);
        when(channel.await(any())).thenReturn(Optional.of(request));
        when(listening.localAddress()).thenReturn(Optional.of(ADDRESS));
        when(manager.createEventChannel()).thenReturn(channel);
        when(manager.createId(any(), any(), any())).thenReturn(listening);
        AtomicBoolean migrated = new AtomicBoolean();
        CountDownLatch refused = new CountDownLatch(1);
        doAnswer(call -> {
                    if (!migrated.get()) {
                        refused.countDown();
                        throw new VerbsException(Errno.EBUSY, "rdma_destroy_event_channel", "1 id uses the channel");
                    }
                    return null;
                })
                .when(channel)
                .close();
        doAnswer(call -> {
                    migrated.set(true);
                    return null;
                })
                .when(requested)
                .migrate(any());
        when(requested.device()).thenReturn(Optional.empty());
        CmListener listener = CmListener.listen(manager, ADDRESS, QpCapabilities.of(1, 1), 1);
        CompletableFuture<Void> closed = new CompletableFuture<>();
        when(manager.createEventChannel()).thenAnswer(call -> {
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    listener.close();
                    closed.complete(null);
                } catch (VerbsException | RuntimeException | Error failed) {
                    closed.completeExceptionally(failed);
                }
            });
            assertThat(refused.await(20, TimeUnit.SECONDS)).isTrue();
            return mock(EventChannel.class);
        });

        assertThat(catchThrowableOfType(VerbsException.class, () -> listener.getRequest(Duration.ofSeconds(1)))
                        .errno())
                .isEqualTo(Errno.ENODEV);

        closed.get(20, TimeUnit.SECONDS);
        verify(requested).close();
    }
}
