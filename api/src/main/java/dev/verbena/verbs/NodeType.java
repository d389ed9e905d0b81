// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The node type of a device ({@code enum ibv_node_type}).
 *
 * @since 1.0
 */
public enum NodeType {
    /** The driver does not report the node type, or Verbena does not know the type. */
    UNKNOWN(-1),
    /** InfiniBand or RoCE channel adapter. */
    CA(1),
    /** InfiniBand switch. */
    SWITCH(2),
    /** InfiniBand router. */
    ROUTER(3),
    /** iWARP adapter, which supports only RC and connects only by the connection manager. */
    RNIC(4),
    /** Cisco usNIC with its own encapsulation. */
    USNIC(5),
    /** Cisco usNIC over UDP. */
    USNIC_UDP(6),
    /** The device has none of the other types, and the driver reports {@code IBV_NODE_UNSPECIFIED}. */
    UNSPECIFIED(7);

    private static final CodeTable<NodeType> BY_CODE = new CodeTable<>("node type", values(), NodeType::code);

    private final int code;

    NodeType(int code) {
        this.code = code;
    }

    /** {@return the value of the type in {@code enum ibv_node_type}, -1..7} */
    public int code() {
        return code;
    }

    /**
     * Decodes a numeric value of {@code enum ibv_node_type}.
     *
     * @param code any value
     * @return the type, {@link #UNKNOWN} if Verbena does not know the value
     */
    public static NodeType of(int code) {
        return BY_CODE.find(code, UNKNOWN);
    }
}
