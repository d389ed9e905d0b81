package dev.verbena.sim.cm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** The owners of the ports of a port space. Guarded by the manager's lock. */
final class PortTable {
    /** The result of {@link #bind} if the port, or every port, is taken. */
    static final int TAKEN = -1;

    /** The range of ports for ids that request any port, as Linux's {@code ip_local_port_range}. */
    private static final int FIRST_FREE = 32768;

    private static final int FREE_COUNT = 60999 - FIRST_FREE + 1;

    private final Map<Integer, List<SimConnectionId>> owners = new HashMap<>();
    private int next;

    PortTable(RandomGenerator random) {
        next = random.nextInt(FREE_COUNT);
    }

    /**
     * Assigns a port to an id, at the id's present address.
     *
     * @param port the port, or 0 for a free one
     * @return the port, or {@link #TAKEN}
     */
    int bind(SimConnectionId id, int port) {
        if (port == 0) {
            return bindAny(id);
        }
        List<SimConnectionId> others = owners.getOrDefault(port, List.of());
        if (others.stream().anyMatch(other -> other.address().excludes(id.address()))) {
            return TAKEN;
        }
        add(id, port);
        return port;
    }

    private int bindAny(SimConnectionId id) {
        for (int tried = 0; tried < FREE_COUNT; tried++) {
            int port = FIRST_FREE + next;
            next = (next + 1) % FREE_COUNT;
            if (!owners.containsKey(port)) {
                add(id, port);
                return port;
            }
        }
        return TAKEN;
    }

    private void add(SimConnectionId id, int port) {
        owners.computeIfAbsent(port, _ -> new ArrayList<>(1)).add(id);
    }

    /** Returns whether the port is free at every address that overlaps this one; address reuse does not matter. */
    boolean isAlone(SimConnectionId id, int port) {
        return owners.getOrDefault(port, List.of()).stream()
                .noneMatch(other -> other != id && other.address().overlaps(id.address()));
    }

    void release(SimConnectionId id, int port) {
        List<SimConnectionId> holders = owners.get(port);
        if (holders != null) {
            holders.remove(id);
            if (holders.isEmpty()) {
                owners.remove(port);
            }
        }
    }
}
