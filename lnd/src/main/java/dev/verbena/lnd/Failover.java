// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.memory.Cleanup;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * If the device of a node fails or is removed, moves the node to the device that then has the node's IP address. All
 * messages in flight on the old device fail. A failover is a {@code SerialTask}, so it never runs concurrently with itself.
 * Thread-safe. Source: {@code kiblnd_dev_failover}.
 */
final class Failover {

    private static final int LONGEST_WAIT = 10;

    private final NodeContext context;
    private final NetworkInterface ni;
    private final List<Peers> peers;
    private final VerbsRuntime.SerialTask task;
    private VerbsRuntime.@Nullable Timer timer;
    private boolean requested;
    private boolean abandoned;
    private boolean running;
    private int failures;
    private long done;

    Failover(NodeContext context, NetworkInterface ni, List<Peers> peers) {
        this.context = context;
        this.ni = ni;
        this.peers = peers;
        task = context.runtime().newSerialTask(this::run);
        ni.onDeviceLost(this::request);
    }

    private synchronized void request() {
        if (context.tunables().failover() && !ni.isShutdown()) {
            requested = true;
            task.schedule();
        }
    }

    synchronized long done() {
        return done;
    }

    synchronized boolean isIdle() {
        return !running;
    }

    void stop() {
        synchronized (this) {
            requested = false;
            if (timer != null) {
                timer.cancel();
            }
        }
        task.cancel();
    }

    private void run() {
        synchronized (this) {
            if (!requested || ni.isShutdown()) {
                return;
            }
            running = true;
        }
        try {
            abandonDevice();
            move(ni.openHcaDevice());
        } catch (VerbsException e) {
            // A failed failover usually means that no device has the node's IP address yet. The node tries again later.
        } finally {
            retryUnlessMoved();
        }
    }

    private void abandonDevice() {
        synchronized (this) {
            if (abandoned) {
                return;
            }
            abandoned = true;
        }
        abandon();
        // The failed device must stop listening, because otherwise no other device can listen on the node's port.
        ni.hca().stopListening(new Cleanup(null));
    }

    private void abandon() {
        for (Peers each : peers) {
            synchronized (each.cpt().lock()) {
                each.establisher().abandon(-Errno.ENETDOWN.number());
                each.abandon(-Errno.ENETDOWN.number());
            }
        }
        ni.hca().failOver();
    }

    /** Makes the node listen on a device. If listening fails or the node was shut down, closes the device. */
    private void move(HcaDevice next) throws VerbsException {
        try {
            synchronized (this) {
                if (ni.isShutdown()) {
                    throw new VerbsException(Errno.ENETDOWN, "rdma_listen", "node " + ni.nid() + " is being closed");
                }
                ni.listen(next);
                requested = false;
                abandoned = false;
                failures = 0;
                done++;
            }
        } catch (VerbsException | RuntimeException | Error e) {
            Cleanup cleanup = new Cleanup(e);
            next.stopListening(cleanup);
            next.close(cleanup);
            throw e;
        }
    }

    private void retryUnlessMoved() {
        synchronized (this) {
            running = false;
            if (!requested || ni.isShutdown()) {
                return;
            }
            failures++;
            timer = context.runtime().schedule(Duration.ofSeconds(Math.min(failures, LONGEST_WAIT)), task::schedule);
        }
    }
}
