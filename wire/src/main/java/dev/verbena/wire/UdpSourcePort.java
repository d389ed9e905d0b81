// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/**
 * Computes the UDP source ports and IPv6 flow labels of RoCEv2 packets. Receivers ignore the UDP source port. Switches hash
 * the UDP source port, so that flows use different paths while all packets of one queue pair use the same path. The source
 * ports and flow labels equal those of rdma_rxe and of the Linux RDMA core ({@code rdma_flow_label_to_udp_sport} and {@code
 * rdma_calc_flow_label} in {@code include/rdma/ib_verbs.h}).
 */
public final class UdpSourcePort {
    /** The minimum UDP source port of RoCEv2; the maximum is 65535. */
    public static final int MIN = 0xc000;

    /** A mask for the 20 bits of a flow label. */
    public static final int FLOW_LABEL_MASK = 0xf_ffff;

    private static final int PORT_BITS = 14;
    private static final int PORT_MASK = (1 << PORT_BITS) - 1;

    /** The multiplier of Knuth's multiplicative hash, as in the Linux kernel's {@code hash_32}. */
    private static final int GOLDEN_RATIO_32 = 0x61c8_8647;

    private static final int CM_PORT_MULTIPLIER = 31;

    private UdpSourcePort() {}

    /**
     * {@return the UDP source port of an unconnected queue pair (UD or QP1), {@link #MIN}..65535}
     *
     * @param qpn the queue pair number
     */
    public static int forQpn(int qpn) {
        return MIN + ((qpn * GOLDEN_RATIO_32) >>> (Integer.SIZE - PORT_BITS));
    }

    /**
     * {@return the UDP source port of a connected queue pair, {@link #MIN}..65535}
     *
     * @param flowLabel the flow label of the address vector or, if it is 0, the result of {@link #flowLabel}; 0..2^20-1
     */
    public static int forFlowLabel(int flowLabel) {
        int label = flowLabel & FLOW_LABEL_MASK;
        return ((label & PORT_MASK) ^ (label >>> PORT_BITS)) | MIN;
    }

    /**
     * {@return the flow label of a connected queue pair whose address vector has flow label 0; 0..2^20-1} Both peers
     * compute the same flow label, because exchanging the two QPNs does not change the result.
     *
     * @param localQpn the QPN of the local queue pair
     * @param remoteQpn the QPN of the remote queue pair
     */
    public static int flowLabel(int localQpn, int remoteQpn) {
        long product = (localQpn & 0xffff_ffffL) * (remoteQpn & 0xffff_ffffL);
        product ^= product >>> 20;
        product ^= product >>> 40;
        return (int) product & FLOW_LABEL_MASK;
    }

    /**
     * {@return the flow label that rdma_cm writes into a REQ, 0..2^20-1}
     *
     * @param sourcePort the rdma_cm port of the active side, 0..65535
     * @param destinationPort the rdma_cm port of the listener, 0..65535
     */
    public static int cmFlowLabel(int sourcePort, int destinationPort) {
        return (sourcePort * CM_PORT_MULTIPLIER + destinationPort) & FLOW_LABEL_MASK;
    }
}
