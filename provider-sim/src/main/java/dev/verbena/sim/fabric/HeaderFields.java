// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.fabric;

import dev.verbena.wire.Bth;
import dev.verbena.wire.Extension;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * A packet whose transport headers are stored in Java fields, which the requester, responder and completer write and read.
 * {@link #encode()} converts the Java fields to bytes, for code that reads bytes. {@link #decode()} converts the bytes of a
 * received packet to Java fields. {@code SendTemplate} and {@code ReceiveTemplate} also convert small packets over UDP.
 *
 * <p>After {@link #begin} with a {@link Route}, a packet has valid Java fields, but its header bytes are valid only after
 * {@link #encode()}. After {@link RocePacket#begin}, a packet has valid header bytes, but its Java fields are valid only
 * after {@link #decode()}. If the opcode does not require a header, the Java fields of this header are invalid.
 */
abstract class HeaderFields extends RocePacket {
    private final Route own = Route.ofPacket();
    private Route route = own;
    private boolean hasFields;
    private boolean hasBytes = true;

    private int destinationQpn;
    private int psn;
    private int partitionKey;
    private boolean ackRequest;
    private boolean solicitedEvent;
    private boolean migrationRequest;

    private long remoteAddress;
    private int remoteKey;
    private int dmaLength;
    private long swapOrAdd;
    private long compare;
    private int flushSelectivity;
    private int flushPlacement;
    private int immediate;
    private int syndrome;
    private int msn;
    private long originalValue;
    private int queueKey;
    private int sourceQpn;

    HeaderFields(Arena arena) {
        super(arena);
    }

    /** Resets the packet to an empty buffer, to be filled with bytes. */
    void reset() {
        route = own;
        hasFields = false;
        hasBytes = true;
    }

    /**
     * Starts a packet whose headers are stored in Java fields instead of bytes, with the default P_Key, no flags and an
     * empty payload. The caller must also set the fields of the packet's extension headers.
     *
     * @param way the {@link Route} (IP and UDP header values), which must not change while the packet is in use
     * @param opcode the opcode of the BTH
     * @param qpn the destination QPN
     * @param number the PSN
     * @param migrated the M bit
     */
    public final void begin(Route way, Opcode opcode, int qpn, int number, boolean migrated) {
        route = way;
        hasFields = true;
        hasBytes = false;
        destinationQpn = qpn;
        psn = number;
        partitionKey = Bth.DEFAULT_PARTITION_KEY;
        ackRequest = false;
        solicitedEvent = false;
        migrationRequest = migrated;
        outline(way.isIpv6(), opcode, 0);
    }

    /**
     * Sets the payload length of a packet that {@link #begin} has started.
     *
     * @param bytes the length without padding
     */
    public final void carries(int bytes) {
        outline(route.isIpv6(), opcode(), bytes);
    }

    /**
     * Sets the packet's own {@link Route} (IP and UDP header values), for a packet that belongs to no connection.
     *
     * @param sourceHi the first eight bytes of the source GID
     * @param sourceLo the last eight bytes of the source GID
     * @param destinationHi the first eight bytes of the destination GID
     * @param destinationLo the last eight bytes of the destination GID
     * @param udpSourcePort the UDP source port
     * @param trafficClass the traffic class, 0 to 255
     * @param hopLimit the hop limit, 0 to 255
     * @return the packet's own {@link Route}, which is the same object at every call
     */
    public final Route ownRoute(
            long sourceHi,
            long sourceLo,
            long destinationHi,
            long destinationLo,
            int udpSourcePort,
            int trafficClass,
            int hopLimit) {
        own.set(sourceHi, sourceLo, destinationHi, destinationLo, udpSourcePort, trafficClass, hopLimit);
        return own;
    }

    /** {@return whether the Java fields of the packet are valid} */
    public final boolean hasFields() {
        return hasFields;
    }

    /** {@return the immutable {@link Route} of the packet's connection, or null if the packet has its own {@link Route}} */
    public final @Nullable Route lastingRoute() {
        return route.isLasting() ? route : null;
    }

    /** {@return the first eight bytes of the BTH} {@link Bth#start} computes these bytes from the Java fields. */
    public final long bthStart() {
        int padding = length() - Icrc.LENGTH - payloadOffset() - payloadLength();
        return Bth.start(opcode(), solicitedEvent, migrationRequest, padding, partitionKey, destinationQpn);
    }

    /**
     * Copies the route and the fields of the BTH, RETH, ImmDt and IETH of a packet, but not its payload. The packet to copy
     * must have valid Java fields. The fields of other headers (AETH, AtomicETH, AtomicAckETH, FETH, DETH) are not copied.
     *
     * @param other the packet to copy from
     */
    public final void copyFields(HeaderFields other) {
        begin(
                other.route.isLasting() ? other.route : own.copy(other.route),
                other.opcode(),
                other.destinationQpn,
                other.psn,
                other.migrationRequest);
        partitionKey = other.partitionKey;
        ackRequest = other.ackRequest;
        solicitedEvent = other.solicitedEvent;
        remoteAddress = other.remoteAddress;
        remoteKey = other.remoteKey;
        dmaLength = other.dmaLength;
        immediate = other.immediate;
        carries(other.payloadLength());
    }

    /**
     * Writes the Java fields into the packet's bytes, for code that reads or changes bytes. The Java fields are invalid
     * after the call of {@code encode}. Encoding has no effect on a packet that is already encoded. The payload must be in
     * the packet before {@code encode} is called.
     */
    public final void encode() {
        hasFields = false;
        if (hasBytes) {
            return;
        }
        hasBytes = true;
        Opcode opcode = opcode();
        int payload = payloadLength();
        route.begin(this);
        beginTransport(opcode)
                .partitionKey(partitionKey)
                .migrationRequest(migrationRequest)
                .destinationQpn(destinationQpn)
                .psn(psn)
                .ackRequest(ackRequest)
                .solicitedEvent(solicitedEvent);
        if (opcode.has(Extension.RETH)) {
            reth().virtualAddress(remoteAddress).remoteKey(remoteKey).dmaLength(dmaLength);
        }
        if (opcode.has(Extension.AETH)) {
            aeth().initialize(syndrome, msn);
        }
        if (opcode.has(Extension.IMM_DT)) {
            immDt().data(immediate);
        }
        if (opcode.has(Extension.DETH)) {
            deth().initialize(queueKey, sourceQpn);
        }
        if (opcode.has(Extension.ATOMIC_ETH)) {
            atomicEth()
                    .virtualAddress(remoteAddress)
                    .remoteKey(remoteKey)
                    .swapOrAdd(swapOrAdd)
                    .compare(compare);
        }
        if (opcode.has(Extension.ATOMIC_ACK_ETH)) {
            atomicAckEth().originalValue(originalValue);
        }
        if (opcode.has(Extension.FETH)) {
            feth().initialize(flushSelectivity, flushPlacement);
        }
        if (opcode.has(Extension.IETH)) {
            ieth().remoteKey(immediate);
        }
        payloadLength(payload);
    }

    /** Reads the Java fields from the packet's bytes. Decoding has no effect on a packet that is already decoded. */
    public final void decode() {
        if (hasFields) {
            return;
        }
        hasFields = true;
        Opcode opcode = opcode();
        own.read(this);
        route = own;
        Bth bth = bth();
        partitionKey = bth.partitionKey();
        migrationRequest = bth.migrationRequest();
        destinationQpn = bth.destinationQpn();
        psn = bth.psn();
        ackRequest = bth.ackRequest();
        solicitedEvent = bth.solicitedEvent();
        if (opcode.has(Extension.RETH)) {
            reth(reth().virtualAddress(), reth().remoteKey(), reth().dmaLength());
        }
        if (opcode.has(Extension.AETH)) {
            acknowledge(aeth().syndrome(), aeth().msn());
        }
        if (opcode.has(Extension.IMM_DT)) {
            immediate = immDt().data();
        }
        if (opcode.has(Extension.DETH)) {
            datagram(deth().queueKey(), deth().sourceQpn());
        }
        if (opcode.has(Extension.ATOMIC_ETH)) {
            atomic(
                    atomicEth().virtualAddress(),
                    atomicEth().remoteKey(),
                    atomicEth().swapOrAdd(),
                    atomicEth().compare());
        }
        if (opcode.has(Extension.ATOMIC_ACK_ETH)) {
            originalValue = atomicAckEth().originalValue();
        }
        if (opcode.has(Extension.FETH)) {
            flush(feth().selectivity(), feth().placement());
        }
        if (opcode.has(Extension.IETH)) {
            immediate = ieth().remoteKey();
        }
    }

    /**
     * Sets the fields of the RETH.
     *
     * @param address the virtual address
     * @param key the R_Key
     * @param bytes the DMA length, unsigned
     */
    public final void reth(long address, int key, int bytes) {
        remoteAddress = address;
        remoteKey = key;
        dmaLength = bytes;
    }

    /**
     * Sets the fields of the AtomicETH.
     *
     * @param address the virtual address
     * @param key the R_Key
     * @param operand the value that the atomic operation swaps in or adds
     * @param expected the value to compare with
     */
    public final void atomic(long address, int key, long operand, long expected) {
        remoteAddress = address;
        remoteKey = key;
        swapOrAdd = operand;
        compare = expected;
    }

    /**
     * Sets the fields of the FETH.
     *
     * @param selectivity the selectivity level: memory region or range
     * @param placement the placement type of the RDMA FLUSH: global visibility, persistence, or both
     */
    public final void flush(int selectivity, int placement) {
        flushSelectivity = selectivity;
        flushPlacement = placement;
    }

    /**
     * Sets the fields of the AETH.
     *
     * @param newSyndrome the syndrome
     * @param messages the MSN
     */
    public final void acknowledge(int newSyndrome, int messages) {
        syndrome = newSyndrome;
        msn = messages;
    }

    /**
     * Sets the fields of the DETH.
     *
     * @param key the Q_Key
     * @param qpn the source QPN
     */
    public final void datagram(int key, int qpn) {
        queueKey = key;
        sourceQpn = qpn;
    }

    /**
     * Sets the ImmDt, or the R_Key in the IETH.
     *
     * @param value the immediate data or R_Key
     */
    public final void immediate(int value) {
        immediate = value;
    }

    /**
     * Sets the AtomicAckETH.
     *
     * @param value the value at the remote address before the atomic operation
     */
    public final void originalValue(long value) {
        originalValue = value;
    }

    /**
     * Sets the PSN of the packet.
     *
     * @param value a PSN of 24 bits
     */
    public final void psn(int value) {
        psn = value;
    }

    /**
     * Sets the AckReq bit.
     *
     * @param value true to request an acknowledgement
     */
    public final void ackRequest(boolean value) {
        ackRequest = value;
    }

    /**
     * Sets the solicited event bit.
     *
     * @param value the solicited event bit (SE): true to wake threads that wait for solicited events
     */
    public final void solicitedEvent(boolean value) {
        solicitedEvent = value;
    }

    /** {@return the route of the packet} */
    public final Route route() {
        return route;
    }

    /** {@return the destination QPN} */
    public final int destinationQpn() {
        return destinationQpn;
    }

    /** {@return the PSN} */
    public final int psn() {
        return psn;
    }

    /** {@return the P_Key, 16 bits} */
    public final int partitionKey() {
        return partitionKey;
    }

    /** {@return whether the packet requests an acknowledgement (AckReq)} */
    public final boolean ackRequest() {
        return ackRequest;
    }

    /** {@return the solicited event bit} */
    public final boolean solicitedEvent() {
        return solicitedEvent;
    }

    /** {@return the virtual address in the RETH or AtomicETH} */
    public final long remoteAddress() {
        return remoteAddress;
    }

    /** {@return the R_Key in the RETH or AtomicETH} */
    public final int remoteKey() {
        return remoteKey;
    }

    /** {@return the DMA length in the RETH, unsigned} */
    public final int dmaLength() {
        return dmaLength;
    }

    /** {@return the value that an atomic operation swaps in or adds} */
    public final long swapOrAdd() {
        return swapOrAdd;
    }

    /** {@return the value that an atomic operation compares with} */
    public final long compare() {
        return compare;
    }

    /** {@return the selectivity in the FETH} */
    public final int flushSelectivity() {
        return flushSelectivity;
    }

    /** {@return the placement in the FETH} */
    public final int flushPlacement() {
        return flushPlacement;
    }

    /** {@return the ImmDt, or the R_Key in the IETH} */
    public final int immediate() {
        return immediate;
    }

    /** {@return the syndrome in the AETH} */
    public final int syndrome() {
        return syndrome;
    }

    /** {@return the MSN in the AETH} */
    public final int msn() {
        return msn;
    }

    /** {@return the value in the AtomicAckETH} */
    public final long originalValue() {
        return originalValue;
    }

    /** {@return the Q_Key in the DETH} */
    public final int queueKey() {
        return queueKey;
    }

    /** {@return the source QPN in the DETH} */
    public final int sourceQpn() {
        return sourceQpn;
    }
}
