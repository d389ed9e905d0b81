// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.ping;

import dev.verbena.lnet.Nid;
import dev.verbena.lnet.ProcessId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The information with which a node responds to a ping, in the byte order of the node.
 *
 * <pre>
 *   0 magic 4   4 features 4   8 pid 4   12 interfaces 4   16 + 16 i: NID 8, status 4, reserved 4
 * </pre>
 *
 * Source: Lustre's {@code struct lnet_ping_info}.
 *
 * @param features the feature bits, such as {@link #NI_STATUS}
 * @param pid the LNet PID of the node, {@link ProcessId#LUSTRE_PID} for Lustre nodes in the kernel
 * @param interfaces the network interfaces, beginning with the loopback interface
 */
public record PingInfo(int features, int pid, List<Interface> interfaces) {

    /** The match bits of pings and pushes. LNet sends pings and pushes to portal 0. */
    public static final long MATCH_BITS = 0x8000_0000_0000_0000L;
    /** The portal that LNet itself uses, for pings and pushes. */
    public static final int PORTAL = 0;
    /** The number of bytes to request if the number of interfaces is unknown: sufficient for 16 interfaces. */
    public static final int USUAL_LENGTH = 272;

    /** The feature bit that is set if the ping information contains the status of the interfaces. */
    public static final int NI_STATUS = 2;
    /** The feature bit of a node that is not an LNet router. */
    public static final int RTE_DISABLED = 4;
    /** The feature bit of a node that its peers can reach through several interfaces. */
    public static final int MULTI_RAIL = 8;
    /**
     * The feature bit of a node that discovers its peers. When the interfaces of a peer change, the peer pushes new ping
     * information to a node with this feature bit.
     */
    public static final int DISCOVERY = 16;

    /** The status of a network interface that works. */
    public static final int UP = 0x15aac0de;
    /** The status of a network interface that does not work. */
    public static final int DOWN = 0xdeadface;

    private static final int MAGIC = 0x70696e67;
    private static final int HEADER = 16;
    private static final int ENTRY = 16;

    /**
     * One interface of a node.
     *
     * @param nid the NID of the interface
     * @param status {@link #UP} or {@link #DOWN}; in the loopback interface's entry, this field contains the version
     *     number of the ping information
     */
    public record Interface(Nid nid, int status) {}

    /** Copies the list of interfaces. */
    public PingInfo {
        interfaces = List.copyOf(interfaces);
    }

    /**
     * {@return the ping information about a node with the loopback interface and one other interface}
     *
     * @param node the process id of the described node
     * @param features the feature bits
     * @param sequence the version number of the ping information, 1 for the first version
     */
    public static PingInfo of(ProcessId node, int features, int sequence) {
        return new PingInfo(
                features, node.pid(), List.of(new Interface(Nid.LOOPBACK, sequence), new Interface(node.nid(), UP)));
    }

    /**
     * {@return the encoded ping information: 16 bytes, and 16 bytes for each network interface}
     *
     * @param order the byte order of the encoding node
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
     * Decodes received bytes by the same rules as a Lustre node that has sent a ping.
     *
     * @param bytes the received bytes
     * @return the ping information, without bytes that follow the last interface
     * @throws IllegalArgumentException if the bytes are not ping information; the exception's message has the reason
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
