// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;

import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.lnd.wire.MessageType;
import dev.verbena.lnet.LndHost;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The time at which the daemon scans, after verbs objects have been destroyed, which takes time. */
class DaemonClockTest {
    private static final long HOUR = Duration.ofHours(1).toNanos();
    /** After the tick at which a connection that does not drain is destroyed, and before the next one. */
    private static final Duration DESTROYED = Duration.ofMillis(5500);

    @Test
    void aMessageThatExpiresWhileAConnectionIsDestroyedEndsWithTheSameTick() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            LnetNode node = lab.start(1);
            AtomicLong later = new AtomicLong();
            O2ibLnd lnd = driverWhoseClockIs(lab, node, later);
            Peers peers = lnd.partitions().getFirst();
            ConnectionId slow = mock(ConnectionId.class);
            doAnswer(call -> later.addAndGet(HOUR)).when(slow).close();
            Peer waitedFor = peer(lnd, 8);
            TxPool transmits = waitedFor.partition().transmits();
            synchronized (peers.cpt().lock()) {
                waitedFor.launch(Objects.requireNonNull(transmits.take(MessageType.NOOP)));
                waitedFor.attemptStarted();
                peers.add(waitedFor);
                Connection connection = new Connection(peers, peer(lnd, 9), slow, true);
                connection.connected();
                peers.daemon().tearDown(connection);
            }

            lab.pass(DESTROYED);

            assertThat(later).hasValue(HOUR);
            assertThat(transmits.inUse()).isZero();
            peers.daemon().stop();
            lnd.close();
        }
    }

    private static Peer peer(O2ibLnd lnd, int host) {
        NodeContext context = lnd.context();
        return new Peer(context, context.interfaces().getFirst(), Lab.nid(host));
    }

    /**
     * Another driver on the device of a node. All its peers are scanned each second, and its connection requests get no
     * answer.
     */
    private static O2ibLnd driverWhoseClockIs(Lab lab, LnetNode node, AtomicLong later) throws VerbsException {
        VerbsRuntime runtime = mock(VerbsRuntime.class, delegatesTo(lab.runtime()));
        doAnswer(call -> lab.runtime().nanoTime() + later.get()).when(runtime).nanoTime();
        Device device = mock(Device.class, delegatesTo(node.ni().device()));
        doReturn(runtime).when(device).runtime();
        ConnectionManager manager = mock(ConnectionManager.class);
        doReturn(mock(ConnectionId.class)).when(manager).createId(any(), any(), any());
        NetworkInterface ni = node.ni();
        return new O2ibLnd(
                ni.nid(),
                ni.address(),
                lab.tunables().timeout(Duration.ofSeconds(4)).build(),
                manager,
                node.lnd().context().channel(),
                ni.hca().listener(),
                device,
                mock(LndHost.class));
    }
}
