// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * The extension headers that follow the BTH (InfiniBand Architecture Specification, volume 1, section 9.3). {@link Opcode}
 * defines which extension headers a packet has.
 */
public enum Extension {
    /** See {@link Deth}. */
    DETH("DETH", Deth.LENGTH),
    /** See {@link Feth}. */
    FETH("FETH", Feth.LENGTH),
    /** See {@link Reth}. */
    RETH("RETH", Reth.LENGTH),
    /** See {@link AtomicEth}. */
    ATOMIC_ETH("AtomicETH", AtomicEth.LENGTH),
    /** See {@link Aeth}. */
    AETH("AETH", Aeth.LENGTH),
    /** See {@link AtomicAckEth}. */
    ATOMIC_ACK_ETH("AtomicAckETH", AtomicAckEth.LENGTH),
    /** See {@link Ieth}. */
    IETH("IETH", Ieth.LENGTH),
    /** See {@link ImmDt}. */
    IMM_DT("ImmDt", ImmDt.LENGTH);

    private final String header;
    private final int length;

    Extension(String header, int length) {
        this.header = header;
        this.length = length;
    }

    /** {@return the length of the extension header in bytes} */
    public int length() {
        return length;
    }

    /** {@return the name that the InfiniBand specification gives to the extension header} */
    @Override
    public String toString() {
        return header;
    }
}
