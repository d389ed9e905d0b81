// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.cm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.UdParameters;
import dev.verbena.ibverbs.data.PathCodec;
import dev.verbena.ibverbs.struct.RdmaConnParam;
import dev.verbena.ibverbs.struct.RdmaUdParam;
import dev.verbena.verbs.RnrRetryCount;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Converts connection parameters to and from {@code struct rdma_conn_param} and {@code rdma_ud_param}. */
public final class ConnectionParameterCodec {
    private static final int LOW_24_BITS = 0xFFFFFF;

    private ConnectionParameterCodec() {}

    static MemorySegment encode(Arena arena, ConnectionParameters parameters) {
        MemorySegment raw = arena.allocate(RdmaConnParam.LAYOUT);
        byte[] bytes = parameters.privateData();
        if (bytes.length > 0) {
            raw.set(ADDRESS, RdmaConnParam.PRIVATE_DATA, arena.allocateFrom(JAVA_BYTE, bytes));
            raw.set(JAVA_BYTE, RdmaConnParam.PRIVATE_DATA_LEN, (byte) bytes.length);
        }
        raw.set(JAVA_BYTE, RdmaConnParam.RESPONDER_RESOURCES, (byte) parameters.responderResources());
        raw.set(JAVA_BYTE, RdmaConnParam.INITIATOR_DEPTH, (byte) parameters.initiatorDepth());
        raw.set(JAVA_BYTE, RdmaConnParam.FLOW_CONTROL, (byte) (parameters.flowControl() ? 1 : 0));
        raw.set(JAVA_BYTE, RdmaConnParam.RETRY_COUNT, (byte) parameters.retryCount());
        raw.set(JAVA_BYTE, RdmaConnParam.RNR_RETRY_COUNT, (byte)
                parameters.rnrRetryCount().code());
        raw.set(JAVA_BYTE, RdmaConnParam.SRQ, (byte) (parameters.srq() ? 1 : 0));
        raw.set(JAVA_INT, RdmaConnParam.QP_NUM, parameters.qpNumber());
        return raw;
    }

    static ConnectionParameters decode(MemorySegment raw) {
        return ConnectionParameters.builder()
                .privateData(privateData(raw))
                .responderResources(number(raw, RdmaConnParam.RESPONDER_RESOURCES))
                .initiatorDepth(number(raw, RdmaConnParam.INITIATOR_DEPTH))
                .flowControl(number(raw, RdmaConnParam.FLOW_CONTROL) != 0)
                .retryCount(number(raw, RdmaConnParam.RETRY_COUNT) & 7)
                .rnrRetryCount(RnrRetryCount.ofCode(number(raw, RdmaConnParam.RNR_RETRY_COUNT) & 7))
                .srq(number(raw, RdmaConnParam.SRQ) != 0)
                .qpNumber(raw.get(JAVA_INT, RdmaConnParam.QP_NUM) & LOW_24_BITS)
                .build();
    }

    static UdParameters decodeUd(MemorySegment raw) {
        return new UdParameters(
                PathCodec.read(raw, RdmaUdParam.AH_ATTR),
                raw.get(JAVA_INT, RdmaUdParam.QP_NUM) & LOW_24_BITS,
                raw.get(JAVA_INT, RdmaUdParam.QKEY));
    }

    /**
     * Copies the private data of a connection or of a datagram. The pointer to the private data and its length are the
     * first two members of both {@code struct rdma_conn_param} and {@code struct rdma_ud_param}.
     */
    @SuppressWarnings("restricted") // The C structure contains the length of its private data.
    static byte[] privateData(MemorySegment raw) {
        MemorySegment bytes = raw.get(ADDRESS, RdmaConnParam.PRIVATE_DATA);
        int length = number(raw, RdmaConnParam.PRIVATE_DATA_LEN);
        return bytes.address() == 0 ? new byte[0] : bytes.reinterpret(length).toArray(JAVA_BYTE);
    }

    private static int number(MemorySegment raw, long offset) {
        return Byte.toUnsignedInt(raw.get(JAVA_BYTE, offset));
    }
}
