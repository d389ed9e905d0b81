// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.engine.ConnectionEngine;
import dev.verbena.lnd.memory.Cleanup;
import dev.verbena.lnet.Nid;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connection daemon of the LND tears down and destroys connections, and reconnects to peers. Once a second, the daemon
 * checks some of the peers for expired messages. The daemon runs as a {@link VerbsRuntime.SerialTask}. The caller of a
 * method must hold the lock of the CPU partition, unless the method's comment says otherwise. Source: {@code kiblnd_connd}.
 */
final class Daemon {

    private static final Duration TICK = Duration.ofSeconds(1);
    private static final long DRAIN_NANOS = Duration.ofSeconds(5).toNanos();
    private static final int FAST_RECONNECTS = 10;
    private static final int RECONNECT_BURST = 100;

    private final NodeContext context;
    private final Cpt cpt;
    private final Peers peers;
    private final VerbsRuntime.SerialTask task;
    private final BucketScan scan;
    /**
     * A thread holds this lock while it destroys verbs objects. The destruction waits for handlers that acquire the CPU
     * partition's lock, so the destroying thread must not hold the CPU partition's lock.
     */
    private final Object destruction = new Object();

    private final Deque<Connection> closing = new ArrayDeque<>();
    private final List<Connection> draining = new ArrayList<>();
    private final Deque<Peer> delayed = new ArrayDeque<>();
    private VerbsRuntime.@Nullable Timer timer;
    private boolean tick;

    Daemon(NodeContext context, Cpt cpt, Peers peers) {
        this.context = context;
        this.cpt = cpt;
        this.peers = peers;
        scan = new BucketScan(context.tunables().timeout());
        task = context.runtime().newSerialTask(this::run);
    }

    void wake() {
        task.schedule();
    }

    void tearDown(Connection connection) {
        closing.add(connection);
        wake();
    }

    boolean isIdle() {
        return closing.isEmpty() && draining.isEmpty();
    }

    int ending(Nid peer) {
        int count = 0;
        for (Connection connection : closing) {
            count += connection.nid().equals(peer) ? 1 : 0;
        }
        for (Connection connection : draining) {
            count += connection.nid().equals(peer) ? 1 : 0;
        }
        return count;
    }

    void stop() {
        synchronized (cpt.lock()) {
            if (timer != null) {
                timer.cancel();
            }
        }
        task.cancel();
    }

    /** Runs this {@code Daemon} once, and starts its timer again even after an exception. */
    private void run() {
        try {
            finaliseAll();
            // A failure to destroy a connection is not reported, because the next run of the daemon tries again.
            destroyReady(
                    connection -> (connection.isDrained() && connection.isReleased())
                            || cpt.now() - connection.since() >= DRAIN_NANOS,
                    new Cleanup(null));
            synchronized (cpt.lock()) {
                if (tick) {
                    tick = false;
                    // The clock is read after the destruction of verbs objects, because the destruction takes time.
                    scan(cpt.now());
                }
            }
        } finally {
            startTimer();
        }
    }

    private void startTimer() {
        synchronized (cpt.lock()) {
            if (timer == null && !(peers.isEmpty() && isIdle())) {
                timer = context.runtime().schedule(TICK, this::onTick);
            }
        }
    }

    private void onTick() {
        synchronized (cpt.lock()) {
            timer = null;
            tick = true;
        }
        wake();
    }

    private void finaliseAll() {
        synchronized (cpt.lock()) {
            for (Connection connection = closing.poll(); connection != null; connection = closing.poll()) {
                finalise(connection);
            }
        }
    }

    private void finalise(Connection connection) {
        try {
            disconnect(connection);
        } finally {
            connection.state(ConnectionState.DISCONNECTED);
            draining.add(connection);
            if (connection.hasEngine()) {
                connection.engine().abort(connection.error());
                ReceiveFlow.early(connection);
            }
        }
    }

    private void disconnect(Connection connection) {
        if (connection.wasConnected()) {
            try {
                connection.id().disconnect();
            } catch (VerbsException e) {
                cpt.counters().ignored();
                connection.release();
            }
        }
        @Nullable Endpoint endpoint = connection.endpoint();
        if (endpoint != null) {
            endpoint.toError();
        }
    }

    /** The caller must not hold the CPU partition's lock. If destroying a connection fails, the daemon retries later. */
    private void destroyReady(Predicate<Connection> ready, Cleanup cleanup) {
        synchronized (destruction) {
            for (Connection connection : selectReady(ready)) {
                if (destroy(connection, cleanup)) {
                    synchronized (cpt.lock()) {
                        connection.destroyed();
                        draining.remove(connection);
                        if (connection.reconnect()) {
                            reconnectSoon(connection.peer());
                        }
                    }
                }
            }
        }
    }

    /**
     * Selects the connections to destroy. Once a connection is selected, only {@link #destroyReady} may access the
     * connection's verbs objects.
     */
    private List<Connection> selectReady(Predicate<Connection> ready) {
        synchronized (cpt.lock()) {
            List<Connection> selected = new ArrayList<>();
            for (Connection connection : draining) {
                if (connection.state() == ConnectionState.DESTROYED || ready.test(connection)) {
                    connection.state(ConnectionState.DESTROYED);
                    @Nullable Endpoint endpoint = connection.endpoint();
                    if (endpoint != null) {
                        connection.partition().registrations().forget(endpoint.queuePair());
                    }
                    selected.add(connection);
                }
            }
            return selected;
        }
    }

    /** If destroying fails with EIO, the device has failed or was removed, so the connection counts as destroyed. */
    private boolean destroy(Connection connection, Cleanup cleanup) {
        List<Cleanup.Step> steps = new ArrayList<>();
        @Nullable Endpoint endpoint = connection.endpoint();
        if (endpoint != null) {
            steps.addAll(endpoint.closing());
        }
        steps.add(connection.id()::close);
        boolean gone = false;
        for (Cleanup.Step step : steps) {
            try {
                step.run();
            } catch (VerbsException | RuntimeException e) {
                // An exception must not prevent the destruction of the other connections.
                synchronized (cpt.lock()) {
                    cpt.counters().ignored();
                }
                gone |= e instanceof VerbsException refused && refused.errno() == Errno.EIO;
                if (!gone) {
                    cleanup.note(e);
                    return false;
                }
            }
        }
        return true;
    }

    /** Destroys all connections, even if requests are posted. The caller must not hold the CPU partition's lock. */
    void destroyAll(Cleanup cleanup) {
        finaliseAll();
        destroyReady(connection -> true, cleanup);
    }

    private void reconnectSoon(Peer peer) {
        if (peer.reconnected() < FAST_RECONNECTS) {
            reconnect(peer);
        } else {
            delayed.add(peer);
        }
    }

    private void reconnect(Peer peer) {
        if (peer.isLinked() && peer.startReconnect()) {
            peers.establisher().connect(peer);
        }
    }

    private void scan(long now) {
        int due = Math.min(delayed.size(), RECONNECT_BURST);
        for (int i = 0; i < due; i++) {
            reconnect(delayed.remove());
        }
        for (Peer peer : peers.all()) {
            if (!scan.isDue(peer.nid())) {
                continue;
            }
            peers.expireWaiting(peer, now);
            for (Connection connection : List.copyOf(peer.connections())) {
                ConnectionEngine<TxDescriptor> engine = connection.engine();
                if (engine.isOverdue(now)) {
                    connection.close(-Errno.ETIMEDOUT.number());
                } else {
                    engine.checkSends(now);
                }
            }
        }
        peers.establisher().expire(now, context.connectTimeout().toNanos(), scan);
        scan.next();
    }
}
