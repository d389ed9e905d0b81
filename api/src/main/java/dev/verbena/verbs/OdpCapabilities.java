// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.EnumSet;
import java.util.Set;

/**
 * The support of a device for on-demand paging (ODP) ({@code struct ibv_odp_caps} and {@code xrc_odp_caps} of {@code
 * ibv_query_device_ex}(3)). Each mask may contain bits for which Verbena has no constant. Immutable.
 *
 * @param general the bits {@link #SUPPORT} and {@link #IMPLICIT}, each set if the device has the feature
 *     ({@code enum ibv_odp_general_caps})
 * @param rc the bits ({@link OdpOperation#mask()}) of the operations (SEND ...) that RC queue pairs support on ODP regions
 * @param uc the bits ({@link OdpOperation#mask()}) of the operations (SEND ...) that UC queue pairs support on ODP regions
 * @param ud the bits ({@link OdpOperation#mask()}) of the operations (SEND ...) that UD queue pairs support on ODP regions
 * @param xrc the bits ({@link OdpOperation#mask()}) of the operations (SEND ...) that XRC queue pairs support on ODP
 *     regions; this API cannot create XRC queue pairs
 * @since 1.0
 */
public record OdpCapabilities(long general, int rc, int uc, int ud, int xrc) {
    /** The bit in {@link #general()} for {@link Capability#ON_DEMAND_PAGING} ({@code IBV_ODP_SUPPORT}). */
    public static final long SUPPORT = 1;

    /**
     * The bit in {@link #general()} for {@link Capability#IMPLICIT_ON_DEMAND_PAGING} ({@code IBV_ODP_SUPPORT_IMPLICIT}).
     */
    public static final long IMPLICIT = 2;

    /** A device without on-demand paging. */
    public static final OdpCapabilities NONE = new OdpCapabilities(0, 0, 0, 0, 0);

    /**
     * Returns the operations that may access ODP regions. If the returned set lacks an operation, a work request with this
     * operation on an ODP region may fail at the post or at completion.
     *
     * @param type the type of the queue pair
     * @return a new set, without the operations for which {@link OdpOperation} has no constant
     */
    public Set<OdpOperation> operations(QpType type) {
        int mask = switch (type) {
            case RC -> rc;
            case UC -> uc;
            case UD -> ud;
        };
        Set<OdpOperation> operations = EnumSet.noneOf(OdpOperation.class);
        for (OdpOperation operation : OdpOperation.values()) {
            if ((mask & operation.mask()) != 0) {
                operations.add(operation);
            }
        }
        return operations;
    }
}
