// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.ping;

import dev.verbena.lnet.Nid;
import dev.verbena.lnet.ProcessId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The information that a node returns to a ping, in the byte order of the node.
 *
 * <pre>
 *   0 magic 4   4 features 4   8 pid 4   12 interfaces 4   16 + 16 i: NID 8, status 4, reserved 4
 * </pre>
 *
 * Source: Lustre's {@code struct lnet_ping_info}.
 *
 * @param features bits, {@link #NI_STATUS} and so on
 * @param pid the process number
 * @param interfaces the interfaces, the loopback interface first
 */
public record PingInfo(int features, int pid, List<Interface> interfaces) {

    /** The match bits of pings and of pushes, on portal 0. */
    public static final long MATCH_BITS = 0x8000_0000_0000_0000L;
    /** The portal that is LNet's own. */
    public static final int PORTAL = 0;
    /** Bytes that a node requests while it does not know the number of interfaces: up to 16 interfaces. */
    public static final int USUAL_LENGTH = 272;

    /** The statuses of the interfaces mean something. */
    public static final int NI_STATUS = 2;
    /** The node does not route. */
    public static final int RTE_DISABLED = 4;
    /** The node may be reached by each of several interfaces. */
    public static final int MULTI_RAIL = 8;
    /** The node discovers its peers and requests notice of their changes. */
    public static final int DISCOVERY = 16;

    /** An interface that works. */
    public static final int UP = 0x15aac0de;
    /** An interface that does not. */
    public static final int DOWN = 0xdeadface;

    private static final int MAGIC = 0x70696e67;
    private static final int HEADER = 16;
    private static final int ENTRY = 16;

    /**
     * One interface of a node.
     *
     * @param nid its NID
     * @param status {@link #UP} or {@link #DOWN}; of the loopback interface how often the information has changed
     */
    public record Interface(Nid nid, int status) {}

    /** Keeps a copy of the list. */
    public PingInfo {
        interfaces = List.copyOf(interfaces);
    }

    /**
     * Returns the information of a node with one interface.
     *
     * @param node the node
     * @param features its features, as bits
     * @param sequence how often the information has changed, from 1
     * @return the loopback interface and the node's own
     */
    public static PingInfo of(ProcessId node, int features, int sequence) {
        return new PingInfo(
                features, node.pid(), List.of(new Interface(Nid.LOOPBACK, sequence), new Interface(node.nid(), UP)));
    }

    /**
     * The bytes to send.
     *
     * @param order of this node
     * @return 16 bytes, and 16 for each interface
     */
    public byte[] encode(ByteOrder order) {
        ByteBuffer out = ByteBuffer.allocate(HEADER + ENTRY * interfaces.size()).order(order);
        out.putInt(MAGIC).putInt(features).putInt(pid).putInt(interfaces.size());
        for (Interface entry : interfaces) {
            out.putLong(entry.nid().value()).putInt(entry.status()).putInt(0);
        }
        return out.array();
    }

    /**
     * Reads received bytes, by the rules of a Lustre node that pings.
     *
     * @param bytes as many as came
     * @return the information, without bytes after the interfaces
     * @throws IllegalArgumentException if the bytes are not ping information; the message has the reason
     */
    public static PingInfo decode(byte[] bytes) {
        if (bytes.length < HEADER + ENTRY) {
            throw new IllegalArgumentException("ping information of " + bytes.length + " bytes is too short");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (in.getInt(0) == Integer.reverseBytes(MAGIC)) {
            in.order(ByteOrder.BIG_ENDIAN);
        }
        int magic = in.getInt();
        if (magic != MAGIC) {
            throw new IllegalArgumentException("ping information begins with 0x" + Integer.toHexString(magic)
                    + ", not 0x" + Integer.toHexString(MAGIC));
        }
        int features = in.getInt();
        int pid = in.getInt();
        int count = in.getInt();
        if ((features & NI_STATUS) == 0) {
            throw new IllegalArgumentException(
                    "ping information has features 0x" + Integer.toHexString(features) + " without NI_STATUS");
        }
        if (count < 1 || count > (bytes.length - HEADER) / ENTRY) {
            throw new IllegalArgumentException("ping information of " + bytes.length + " bytes does not hold "
                    + Integer.toUnsignedString(count) + " interfaces");
        }
        List<Interface> interfaces = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            interfaces.add(new Interface(new Nid(in.getLong()), in.getInt()));
            in.getInt();
        }
        if (!interfaces.getFirst().nid().equals(Nid.LOOPBACK)) {
            throw new IllegalArgumentException("ping information begins with interface "
                    + interfaces.getFirst().nid() + ", not " + Nid.LOOPBACK);
        }
        return new PingInfo(features, pid, interfaces);
    }
}
