// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.cm.CmEventType;
import dev.verbena.sim.runtime.Alarm;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.Errno;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The address resolution and the route resolution of one rdma_cm ID. The resolution of an unreachable peer is retried until
 * the timeout. Guarded by the connection manager's lock.
 */
final class IdResolution {
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

    private final SimRuntime runtime;
    private final CmLock lock;
    private final IdLife life;
    private final IdAddress address;

    private @Nullable Alarm alarm;
    private @Nullable Search search;

    private record Search(
            IdState found,
            IdState notFound,
            CmEventType success,
            CmEventType failure,
            IntSupplier look,
            long deadline) {}

    IdResolution(SimRuntime runtime, CmLock lock, IdLife life, IdAddress address) {
        this.runtime = runtime;
        this.lock = lock;
        this.life = life;
        this.address = address;
    }

    void address(InetSocketAddress destination, Duration timeout) {
        life.enter(IdState.ADDR_QUERY);
        begin(new Search(
                IdState.ADDR_RESOLVED,
                IdState.ADDR_BOUND,
                CmEventType.ADDR_RESOLVED,
                CmEventType.ADDR_ERROR,
                () -> address.resolve(destination),
                deadline(timeout)));
    }

    /**
     * Resolves the route ({@code rdma_resolve_route}). A route exists if the resolved address of the peer is still
     * reachable.
     */
    void route(Duration timeout) {
        life.enter(IdState.ROUTE_QUERY);
        begin(new Search(
                IdState.ROUTE_RESOLVED,
                IdState.ADDR_RESOLVED,
                CmEventType.ROUTE_RESOLVED,
                CmEventType.ROUTE_ERROR,
                address::reachesPeer,
                deadline(timeout)));
    }

    private long deadline(Duration timeout) {
        return runtime.nanoTime() + Math.max(0, TimeUnit.NANOSECONDS.convert(timeout));
    }

    private void begin(Search begun) {
        search = begun;
        look();
    }

    private void look() {
        Search current = search;
        if (current == null) {
            return;
        }
        int error = current.look().getAsInt();
        long now = runtime.nanoTime();
        if (error == 0) {
            end();
            life.enter(current.found());
            life.emit(current.success(), 0);
        } else if (error == -Errno.EHOSTUNREACH.number() && now < current.deadline()) {
            alarm().set(Math.min(now + PAUSE, current.deadline()));
        } else {
            end();
            life.enter(current.notFound());
            life.emit(current.failure(), error == -Errno.EHOSTUNREACH.number() ? -Errno.ETIMEDOUT.number() : error);
        }
    }

    private Alarm alarm() {
        if (alarm == null) {
            alarm = runtime.newAlarm(() -> lock.run(this::look));
        }
        return alarm;
    }

    /** Stops the resolution. If the timer expires during this call, no further look-up of the address or route starts. */
    void end() {
        search = null;
        if (alarm != null) {
            alarm.close();
            alarm = null;
        }
    }
}
