// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

/** The constants of the protocol of o2iblnd nodes. */
public final class Protocol {

    /** The magic: the first four bytes of every message. Source: {@code LNET_PROTO_IB_MAGIC}. */
    public static final int MAGIC = 0x0be91b91;

    /** The magic that future protocol versions of any LND may use. Source: {@code LNET_PROTO_MAGIC}. */
    public static final int FUTURE_MAGIC = 0x45726963;

    /** The oldest protocol version, in which the queue depth is 8, and a NOOP consumes a credit. */
    public static final int VERSION_1 = 0x11;

    /** The current protocol version. */
    public static final int VERSION_2 = 0x12;

    /** The maximum length of a message in bytes, for any page size. Source: {@code IBLND_MSG_SIZE}. */
    public static final int MESSAGE_SIZE = 4096;

    /** The maximum number of fragments of an RDMA descriptor. 1 MiB of unaligned memory spans 257 pages of 4 KiB. */
    public static final int MAX_FRAGMENTS = 257;

    /** The maximum length of the payload of an IMMEDIATE message, in bytes. */
    public static final int MAX_IMMEDIATE = MESSAGE_SIZE - LndMessage.IMMEDIATE_PAYLOAD;

    /** The default port on which nodes listen, in the TCP port space of rdma_cm. */
    public static final int DEFAULT_SERVICE = 987;

    /** The maximum number of credits of a connection. The credit field of a message has one byte. */
    public static final int MAX_CREDITS = 255;

    private Protocol() {}
}
