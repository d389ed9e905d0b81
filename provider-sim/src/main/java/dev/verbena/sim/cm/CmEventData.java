// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.UdParameters;
import org.jspecify.annotations.Nullable;

/**
 * The data of an event. The whole private data field of the peer's message is in {@code privateData}. The component
 * {@code connection} contains the connection parameters, or is null if the event has no connection parameters. The component
 * {@code datagrams} contains the UD send parameters, or is null if the event has no UD send parameters. The context that the
 * user passed to the join of a multicast group is in {@code multicastContext}.
 */
record CmEventData(
        byte[] privateData,
        @Nullable ConnectionParameters connection,
        @Nullable UdParameters datagrams,
        @Nullable Object multicastContext) {
    private static final byte[] NO_BYTES = {};

    static final CmEventData NONE = ofPrivateData(NO_BYTES);

    static CmEventData ofPrivateData(byte[] privateData) {
        return new CmEventData(privateData, null, null, null);
    }

    static CmEventData ofConnection(byte[] privateData, ConnectionParameters parameters) {
        return new CmEventData(privateData, parameters, null, null);
    }

    static CmEventData ofConnection(ConnectionParameters parameters) {
        return ofConnection(NO_BYTES, parameters);
    }

    static CmEventData ofDatagrams(byte[] privateData, UdParameters parameters) {
        return new CmEventData(privateData, null, parameters, null);
    }

    static CmEventData ofGroup(@Nullable UdParameters parameters, @Nullable Object context) {
        return new CmEventData(NO_BYTES, null, parameters, context);
    }
}
