// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The link layer of a port ({@code IBV_LINK_LAYER_*}, {@code ibv_query_port}(3)). The link layer determines which type of
 * address, LID or GID, identifies a peer.
 *
 * @since 1.0
 */
public enum LinkLayer {
    /**
     * The driver reports no link layer. An application should treat {@code UNSPECIFIED} as {@link #INFINIBAND}, as
     * libibverbs does with old kernels.
     */
    UNSPECIFIED(0),
    /** InfiniBand, with LIDs within the subnet and GIDs across subnets. */
    INFINIBAND(1),
    /** Ethernet (RoCE or iWARP), with GIDs as addresses; LIDs are 0. */
    ETHERNET(2),
    /**
     * A link layer that Verbena does not know; {@link PortAttributes#linkLayerCode()} returns its value. If the link layer
     * is unknown, an application must not assume whether a LID or a GID identifies a peer.
     */
    UNKNOWN(-1);

    private static final CodeTable<LinkLayer> BY_CODE = new CodeTable<>("link layer", values(), LinkLayer::code);

    private final int code;

    LinkLayer(int code) {
        this.code = code;
    }

    /** {@return the value of the link layer in {@code IBV_LINK_LAYER_*}, 0..2, or -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Decodes the value of an {@code IBV_LINK_LAYER_*} constant.
     *
     * @param code any value
     * @return the link layer, {@link #UNKNOWN} if Verbena does not know the value
     */
    public static LinkLayer of(int code) {
        return BY_CODE.find(code, UNKNOWN);
    }
}
