// SPDX-License-Identifier: Apache-2.0
package program.endpoints;

import com.ibm.disni.RdmaActiveEndpointGroup;
import com.ibm.disni.RdmaEndpointGroup;
import com.ibm.disni.RdmaPassiveEndpointGroup;

/** Makes endpoint groups by the name of their kind. */
final class Group {
    private static final int TIMEOUT_MILLIS = 100;
    private static final int REQUESTS = 16;
    private static final int ENTRIES = 4;
    private static final int COMPLETIONS = 64;

    private Group() {}

    static RdmaEndpointGroup<?> make(String kind) throws Exception {
        return switch (kind) {
            case "passive" -> {
                var group = new RdmaPassiveEndpointGroup<PassiveSide>(TIMEOUT_MILLIS, REQUESTS, ENTRIES, COMPLETIONS);
                group.init((id, serverSide) -> new PassiveSide(group, id, serverSide));
                yield group;
            }
            case "active", "polling" -> {
                var group = new RdmaActiveEndpointGroup<ActiveSide>(
                        TIMEOUT_MILLIS, kind.equals("polling"), REQUESTS, ENTRIES, COMPLETIONS);
                group.init((id, serverSide) -> new ActiveSide(group, id, serverSide));
                yield group;
            }
            default -> throw new IllegalArgumentException(kind);
        };
    }
}
