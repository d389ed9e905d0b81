// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** The rdma_cm IDs that own the port numbers of a port space. Guarded by the manager's lock. */
final class PortTable {
    /** The result of {@link #bind} if the requested port is in use, or if port 0 was requested and no port is free. */
    static final int TAKEN = -1;

    /** The range of ports for rdma_cm IDs that request any port, as Linux's {@code ip_local_port_range}. */
    private static final int FIRST_FREE = 32768;

    private static final int FREE_COUNT = 60999 - FIRST_FREE + 1;

    private final Map<Integer, List<IdAddress>> owners = new HashMap<>();
    private int next;

    PortTable(RandomGenerator random) {
        next = random.nextInt(FREE_COUNT);
    }

    /** Assigns a port to the address of an rdma_cm ID. Port 0 requests a free port. Returns the port, or {@link #TAKEN}. */
    int bind(IdAddress address, int port) {
        if (port == 0) {
            return bindAny(address);
        }
        List<IdAddress> others = owners.getOrDefault(port, List.of());
        if (others.stream().anyMatch(other -> other.excludes(address))) {
            return TAKEN;
        }
        add(address, port);
        return port;
    }

    private int bindAny(IdAddress address) {
        for (int tried = 0; tried < FREE_COUNT; tried++) {
            int port = FIRST_FREE + next;
            next = (next + 1) % FREE_COUNT;
            if (!owners.containsKey(port)) {
                add(address, port);
                return port;
            }
        }
        return TAKEN;
    }

    private void add(IdAddress address, int port) {
        owners.computeIfAbsent(port, _ -> new ArrayList<>(1)).add(address);
    }

    /** Returns false if another rdma_cm ID has the port and an overlapping address. Address reuse is ignored. */
    boolean isAlone(IdAddress address, int port) {
        return owners.getOrDefault(port, List.of()).stream()
                .noneMatch(other -> other != address && other.overlaps(address));
    }

    void release(IdAddress address, int port) {
        List<IdAddress> holders = owners.get(port);
        if (holders != null) {
            holders.remove(address);
            if (holders.isEmpty()) {
                owners.remove(port);
            }
        }
    }
}
