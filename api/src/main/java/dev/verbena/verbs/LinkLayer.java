// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The link layer of a port ({@code IBV_LINK_LAYER_*}, {@code ibv_query_port}(3)). It decides how peers are addressed.
 *
 * @since 1.0
 */
public enum LinkLayer {
    /** Not reported: treat as {@link #INFINIBAND}, as libibverbs does for old kernels. */
    UNSPECIFIED(0),
    /** InfiniBand: LID within the subnet, GID across subnets. */
    INFINIBAND(1),
    /** Ethernet: RoCE or iWARP; always addressed by GID, LIDs are 0. */
    ETHERNET(2),
    /** A link layer that this release does not know: do not assume how peers are addressed; {@link PortAttributes} has the number. */
    UNKNOWN(-1);

    private static final CodeTable<LinkLayer> BY_CODE = new CodeTable<>("link layer", values(), LinkLayer::code);

    private final int code;

    LinkLayer(int code) {
        this.code = code;
    }

    /**
     * The number of {@code IBV_LINK_LAYER_*}.
     *
     * @return 0..2, -1 for {@link #UNKNOWN}
     */
    public int code() {
        return code;
    }

    /**
     * Decodes the number of the user ABI.
     *
     * @param code any number
     * @return its constant, {@link #UNKNOWN} if this release has none
     */
    public static LinkLayer of(int code) {
        return BY_CODE.find(code, UNKNOWN);
    }
}
