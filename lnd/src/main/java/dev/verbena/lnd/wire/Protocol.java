// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

/** Numbers of the o2iblnd protocol that are not fields of one message. */
public final class Protocol {

    /** First four bytes of every message. Source: {@code LNET_PROTO_IB_MAGIC}. */
    public static final int MAGIC = 0x0be91b91;

    /** The magic that future versions of any LND may open with. Source: {@code LNET_PROTO_MAGIC}. */
    public static final int FUTURE_MAGIC = 0x45726963;

    /** The oldest version: queue depth 8, NOOPs consume credits. */
    public static final int VERSION_1 = 0x11;

    /** The current version. */
    public static final int VERSION_2 = 0x12;

    /** The longest message in bytes, for any page size. Source: {@code IBLND_MSG_SIZE}. */
    public static final int MESSAGE_SIZE = 4096;

    /** The most fragments of one RDMA descriptor: 1 MiB in 4 KiB pages that starts inside a page. */
    public static final int MAX_FRAGMENTS = 257;

    /** The most payload that travels inside an IMMEDIATE message. */
    public static final int MAX_IMMEDIATE = MESSAGE_SIZE - LndMessage.IMMEDIATE_PAYLOAD;

    /** The port on which nodes listen, in the TCP port space of rdma_cm. */
    public static final int DEFAULT_SERVICE = 987;

    /** The most credits of a connection, limited by a message's credit byte. */
    public static final int MAX_CREDITS = 255;

    private Protocol() {}
}
