// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.mad;

import dev.verbena.wire.GidAddress;

/**
 * The header with IP addresses that rdma_cm writes before the application's private data in REQ and SIDR_REQ (InfiniBand
 * Architecture Specification, volume 1, Annex A11, "RDMA IP CM Service"; {@code struct cma_hdr} of the Linux kernel). The
 * rdma_cm header occupies the first 36 bytes of the private data.
 *
 * <p>An IPv4 address occupies the last four of the sixteen address bytes, after zeros. Methods that read an address
 * return an IPv4 address as an IPv4-mapped GID. {@code initialize} stores an IPv4-mapped GID as an IPv4 address.
 */
public final class RdmaCmHeader extends FieldView<RdmaCmHeader> {
    /** The length of the rdma_cm header in bytes. */
    public static final int LENGTH = 36;

    private static final FieldTable<RdmaCmHeader> TABLE = new FieldTable<>();

    /** The major and minor version of the header, four bits each. Receivers must reject any version other than 0.0. */
    public static final Field<RdmaCmHeader> CMA_VERSION = TABLE.field("cmaVersion", 0, 8);

    /** The IP version, 4 or 6; receivers must reject other values. */
    public static final Field<RdmaCmHeader> IP_VERSION = TABLE.field("ipVersion", 1, 0, 4);

    /** The rdma_cm port of the active side, in the port space of the service ID. */
    public static final Field<RdmaCmHeader> PORT = TABLE.field("port", 2, 16);

    private static final int SOURCE = 4;
    private static final int DESTINATION = 20;
    private static final int HALF = Long.BYTES;

    /** Creates a flyweight for an rdma_cm header. Call {@code wrap} before any other method. */
    public RdmaCmHeader() {
        super(TABLE);
    }

    /** {@return the first eight bytes of the GID that contains the active side's IP address; 0 for IPv4} */
    public long sourceHi() {
        return hi(SOURCE);
    }

    /** {@return the last eight bytes of the GID that contains the active side's IP address} */
    public long sourceLo() {
        return lo(SOURCE);
    }

    /** {@return the first eight bytes of the GID that contains the passive side's IP address; 0 for IPv4} */
    public long destinationHi() {
        return hi(DESTINATION);
    }

    /** {@return the last eight bytes of the GID that contains the passive side's IP address} */
    public long destinationLo() {
        return lo(DESTINATION);
    }

    /**
     * Makes this flyweight refer to the rdma_cm header at the start of a message's private data.
     *
     * @param message a REQ or SIDR_REQ
     * @return this
     */
    public RdmaCmHeader wrap(CmMessage<?> message) {
        return wrap(message.segment(), message.offset() + message.privateDataOffset());
    }

    /**
     * Writes a whole header. The GIDs of the active and the passive side must have the same IP version.
     *
     * @param port the rdma_cm port of the active side, 0..65535
     * @param sourceHi the first eight bytes of the active side's GID
     * @param sourceLo the last eight bytes of the active side's GID
     * @param destinationHi the first eight bytes of the passive side's GID
     * @param destinationLo the last eight bytes of the passive side's GID
     * @return this
     */
    public RdmaCmHeader initialize(int port, long sourceHi, long sourceLo, long destinationHi, long destinationLo) {
        boolean ipv4 = GidAddress.isIpv4(destinationHi, destinationLo);
        put32(0, 0);
        set(IP_VERSION, ipv4 ? 4 : 6).set(PORT, port);
        putAddress(SOURCE, ipv4, sourceHi, sourceLo);
        putAddress(DESTINATION, ipv4, destinationHi, destinationLo);
        return this;
    }

    private long hi(int field) {
        return get(IP_VERSION) == 4 ? 0 : get64(field);
    }

    private long lo(int field) {
        long lo = get64(field + HALF);
        return get(IP_VERSION) == 4 ? GidAddress.mapIpv4((int) lo) : lo;
    }

    private void putAddress(int field, boolean ipv4, long hi, long lo) {
        put64(field, hi);
        put64(field + HALF, ipv4 ? lo & 0xffff_ffffL : lo);
    }

    @Override
    protected void describe(StringBuilder out) {
        super.describe(out);
        out.append(' ').append(GidAddress.format(sourceHi(), sourceLo())).append("->");
        out.append(GidAddress.format(destinationHi(), destinationLo()));
    }
}
