// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The kind of a device ({@code enum ibv_node_type}).
 *
 * @since 1.0
 */
public enum NodeType {
    /** Not reported, or a type that this release does not know. */
    UNKNOWN(-1),
    /** Channel adapter: InfiniBand and RoCE devices. */
    CA(1),
    /** InfiniBand switch. */
    SWITCH(2),
    /** InfiniBand router. */
    ROUTER(3),
    /** iWARP adapter: RC only, connections through the connection manager only. */
    RNIC(4),
    /** Cisco usNIC, own encapsulation. */
    USNIC(5),
    /** Cisco usNIC over UDP. */
    USNIC_UDP(6),
    /** Neither of the kinds above. */
    UNSPECIFIED(7);

    private static final CodeTable<NodeType> BY_CODE = new CodeTable<>("node type", values(), NodeType::code);

    private final int code;

    NodeType(int code) {
        this.code = code;
    }

    /**
     * The number of {@code enum ibv_node_type}.
     *
     * @return -1..7
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
    public static NodeType of(int code) {
        return BY_CODE.find(code, UNKNOWN);
    }
}
