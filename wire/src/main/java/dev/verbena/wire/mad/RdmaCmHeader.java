package dev.verbena.wire.mad;

import dev.verbena.wire.Flyweight;
import dev.verbena.wire.GidAddress;
import java.lang.foreign.MemorySegment;

/**
 * The header that rdma_cm writes before the consumer's private data in REQ and SIDR_REQ, so that the passive side gets
 * the IP addresses. Source: InfiniBand Architecture Specification, volume 1, Annex A11, "RDMA IP CM Service";
 * {@code struct cma_hdr} of the Linux kernel. The header occupies the first 36 bytes of the private data.
 *
 * <p>An IPv4 address is in the last four of its sixteen bytes, after zeros. The address methods here convert it from
 * and to the mapped GIDs that the rest of this module uses.
 *
 * <pre>{@code
 * byte   0        1        2
 *       +--------+--------+-----------------+
 *     0 |version |IPv4 -- |   source port   |
 *       +--------+--------+-----------------+
 *     4 |        source address (16)        |
 *       +-----------------------------------+
 *    20 |      destination address (16)     |
 *       +-----------------------------------+
 * }</pre>
 */
public final class RdmaCmHeader extends Flyweight {
    /** Length of the header in bytes. */
    public static final int LENGTH = 36;

    /** Offset of the version in bytes. */
    public static final int CMA_VERSION_OFFSET = 0;

    /** Offset of the IP version in bytes. */
    public static final int IP_VERSION_OFFSET = 1;

    /** Offset of the port in bytes. */
    public static final int PORT_OFFSET = 2;

    /** Offset of the source address in bytes. */
    public static final int SOURCE_OFFSET = 4;

    /** Offset of the destination address in bytes. */
    public static final int DESTINATION_OFFSET = 20;

    private static final int HALF = Long.BYTES;

    private static final int IP_VERSION_MASK = 0xf0;

    /** Creates a header that views nothing until it is wrapped. */
    public RdmaCmHeader() {}

    /**
     * Points this flyweight at a header.
     *
     * @param segment the bytes of the packet
     * @param offset where the header starts in the segment, in bytes
     * @return this
     */
    public RdmaCmHeader wrap(MemorySegment segment, long offset) {
        attach(segment, offset);
        return this;
    }

    /** {@return major and minor version in a nibble each, 0; others are to be rejected} */
    public int cmaVersion() {
        return get8(CMA_VERSION_OFFSET);
    }

    /**
     * Sets the version.
     *
     * @param value the version
     * @return this
     */
    public RdmaCmHeader cmaVersion(int value) {
        put8(CMA_VERSION_OFFSET, value);
        return this;
    }

    /** {@return the IP version, 4 or 6; others are to be rejected} */
    public int ipVersion() {
        return getBits(IP_VERSION_OFFSET, IP_VERSION_MASK);
    }

    /**
     * Sets the IP version.
     *
     * @param value 4 or 6
     * @return this
     */
    public RdmaCmHeader ipVersion(int value) {
        putBits(IP_VERSION_OFFSET, IP_VERSION_MASK, value);
        return this;
    }

    /** {@return the active side's port in the port space of the service ID} */
    public int port() {
        return get16(PORT_OFFSET);
    }

    /**
     * Sets the port.
     *
     * @param value the port, 0..65535
     * @return this
     */
    public RdmaCmHeader port(int value) {
        put16(PORT_OFFSET, value);
        return this;
    }

    /** {@return first eight bytes of the active side's address as a GID; 0 for IPv4} */
    public long sourceHi() {
        return hi(SOURCE_OFFSET);
    }

    /** {@return last eight bytes of the active side's address as a GID} */
    public long sourceLo() {
        return lo(SOURCE_OFFSET);
    }

    /** {@return first eight bytes of the passive side's address as a GID; 0 for IPv4} */
    public long destinationHi() {
        return hi(DESTINATION_OFFSET);
    }

    /** {@return last eight bytes of the passive side's address as a GID} */
    public long destinationLo() {
        return lo(DESTINATION_OFFSET);
    }

    /**
     * Points this flyweight at the start of the private data of a REQ or SIDR_REQ.
     *
     * @param message the message
     * @return this
     */
    public RdmaCmHeader wrap(CmMessage message) {
        return wrap(message.segment(), message.offset() + message.privateDataOffset());
    }

    /**
     * Writes a whole header. Both addresses are of one IP version.
     *
     * @param port the active side's port, 0..65535
     * @param sourceHi first eight bytes of the active side's GID
     * @param sourceLo last eight bytes of the active side's GID
     * @param destinationHi first eight bytes of the passive side's GID
     * @param destinationLo last eight bytes of the passive side's GID
     * @return this
     */
    public RdmaCmHeader initialize(int port, long sourceHi, long sourceLo, long destinationHi, long destinationLo) {
        boolean ipv4 = GidAddress.isIpv4(destinationHi, destinationLo);
        put32(CMA_VERSION_OFFSET, 0);
        ipVersion(ipv4 ? 4 : 6).port(port);
        putAddress(SOURCE_OFFSET, ipv4, sourceHi, sourceLo);
        putAddress(DESTINATION_OFFSET, ipv4, destinationHi, destinationLo);
        return this;
    }

    private long hi(int field) {
        return ipVersion() == 4 ? 0 : get64(field);
    }

    private long lo(int field) {
        long lo = get64(field + HALF);
        return ipVersion() == 4 ? GidAddress.mapIpv4((int) lo) : lo;
    }

    private void putAddress(int field, boolean ipv4, long hi, long lo) {
        put64(field, hi);
        put64(field + HALF, ipv4 ? lo & 0xffff_ffffL : lo);
    }

    @Override
    protected void describe(StringBuilder out) {
        out.append("ip=").append(ipVersion()).append(" port=").append(port()).append(' ');
        out.append(GidAddress.format(sourceHi(), sourceLo())).append("->");
        out.append(GidAddress.format(destinationHi(), destinationLo()));
    }
}
