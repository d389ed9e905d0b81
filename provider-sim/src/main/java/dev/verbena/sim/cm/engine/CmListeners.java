// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.verbs.Gid;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The listeners of a {@link CmEngine}, like the {@code listen_service_table} of ib_cm. */
final class CmListeners {
    private final List<CmListener> listeners = new ArrayList<>();

    void add(CmListener listener) {
        listeners.add(listener);
    }

    void remove(CmListener listener) {
        listeners.remove(listener);
    }

    @Nullable CmListener find(long serviceId, Gid destination, Class<? extends CmService> kind) {
        for (CmListener candidate : listeners) {
            if (kind.isInstance(candidate.service()) && candidate.matches(serviceId, destination)) {
                return candidate;
            }
        }
        return null;
    }
}
