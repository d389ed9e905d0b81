// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.sim.cm.engine.CmCounters;
import dev.verbena.sim.cm.engine.CmExchange;
import dev.verbena.sim.cm.engine.CmListener;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.verbs.Gid;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The devices and the wildcard listeners of a connection manager ({@code dev_list} and {@code listen_any_list} of rdma_cm).
 * Guarded by the connection manager's lock.
 */
final class CmAgents {
    private final SimRuntime runtime;
    private final CmDirectory directory;
    private final CmLock lock;
    private final CmCounters counters;
    private final List<CmAgent> agents = new ArrayList<>();
    private final List<CmListener> wildcardListeners = new ArrayList<>();

    private List<CmDevice> devices = List.of();

    CmAgents(SimRuntime runtime, CmDirectory directory, CmLock lock, CmCounters counters) {
        this.runtime = runtime;
        this.directory = directory;
        this.lock = lock;
        this.counters = counters;
    }

    void update() {
        List<CmDevice> present = directory.devices();
        if (present.equals(devices)) {
            return;
        }
        Set<CmDevice> before = agents.stream().map(CmAgent::device).collect(Collectors.toSet());
        Set<CmDevice> now = Set.copyOf(present);
        agents.removeIf(agent -> !now.contains(agent.device()));
        for (CmDevice device : present) {
            if (!before.contains(device)) {
                CmAgent agent = new CmAgent(device, runtime, lock, counters);
                agents.add(agent);
                wildcardListeners.forEach(agent.engine()::addListener);
                lock.afterUnlock(agent::start);
            }
        }
        devices = List.copyOf(present);
    }

    List<CmAgent> all() {
        return agents;
    }

    Optional<CmAgent> withAddress(Gid address) {
        return agents.stream()
                .filter(agent -> agent.device().addresses().contains(address))
                .findFirst();
    }

    Optional<CmAgent> of(CmExchange exchange) {
        return agents.stream().filter(agent -> agent == exchange.output()).findFirst();
    }

    /** Adds a listener to one device or, if {@code agent} is null, to all present and future devices. */
    void addListener(CmListener listener, @Nullable CmAgent agent) {
        if (agent != null) {
            agent.engine().addListener(listener);
        } else {
            wildcardListeners.add(listener);
            agents.forEach(each -> each.engine().addListener(listener));
        }
    }

    void removeListener(CmListener listener) {
        wildcardListeners.remove(listener);
        agents.forEach(each -> each.engine().removeListener(listener));
    }
}
