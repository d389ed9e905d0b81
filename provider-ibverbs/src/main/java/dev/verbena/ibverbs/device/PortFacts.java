// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.device;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.verbena.ibverbs.data.PathCodec;
import dev.verbena.ibverbs.library.CallState;
import dev.verbena.ibverbs.library.ContextCalls;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.library.PortCalls;
import dev.verbena.ibverbs.struct.IbvGidEntry;
import dev.verbena.ibverbs.struct.IbvPortAttr;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Queries the ports of a context: state, GID table and P_Key table. */
public final class PortFacts {
    private static final int GRH_REQUIRED = 1;

    private static final String WHICH = "ports count from 1; see DeviceAttributes.physicalPortCount()";
    private static final ValueLayout.OfShort NETWORK_SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final int PKEY_BITS = 0xFFFF;

    /**
     * The speed of one lane in megabits per second, by the bit number in {@code active_speed}. The speeds are those of
     * SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR and XDR.
     */
    private static final int[] LANE_SPEED = {2_500, 5_000, 10_000, 10_000, 14_000, 25_000, 50_000, 100_000, 200_000};

    /** The number of lanes, by the bit number in {@code active_width}. */
    private static final int[] LANES = {1, 4, 8, 12, 2};

    private final ContextCalls calls;
    private final PortCalls ports;
    private final MemorySegment context;
    private final String device;
    private final int count;

    PortFacts(ContextCalls calls, PortCalls ports, MemorySegment context, String device, int count) {
        this.count = count;
        this.calls = calls;
        this.ports = ports;
        this.context = context;
        this.device = device;
    }

    /**
     * Queries a port like the inline function {@code ibv_query_port} of the header: this method calls the context's
     * function {@code query_port} or, if the context has no such function, the old symbol {@code ibv_query_port}.
     */
    PortAttributes queryPort(int port) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment raw = arena.allocate(IbvPortAttr.LAYOUT);
            Outcome.check("ibv_query_port", asking(port), WHICH, callState -> {
                try {
                    return ports.queryPort(callState, context, port & 0xFF, raw, raw.byteSize());
                } catch (UnsupportedOperationException old) {
                    return calls.queryPort(callState, context, port & 0xFF, raw);
                }
            });
            return of(raw);
        }
    }

    private String asking(int port) {
        return "querying port " + port + " of device " + device;
    }

    static PortAttributes of(MemorySegment raw) {
        int speed = speed(raw);
        int width = Byte.toUnsignedInt(raw.get(JAVA_BYTE, IbvPortAttr.ACTIVE_WIDTH));
        return PortAttributes.builder()
                .stateCode(raw.get(JAVA_INT, IbvPortAttr.STATE))
                .physicalStateCode(Byte.toUnsignedInt(raw.get(JAVA_BYTE, IbvPortAttr.PHYS_STATE)))
                .maxMtuCode(raw.get(JAVA_INT, IbvPortAttr.MAX_MTU))
                .activeMtuCode(raw.get(JAVA_INT, IbvPortAttr.ACTIVE_MTU))
                .gidTableLength(Math.max(0, raw.get(JAVA_INT, IbvPortAttr.GID_TBL_LEN)))
                .pkeyTableLength(Short.toUnsignedInt(raw.get(JAVA_SHORT, IbvPortAttr.PKEY_TBL_LEN)))
                .maxMessageSize(Integer.toUnsignedLong(raw.get(JAVA_INT, IbvPortAttr.MAX_MSG_SZ)))
                .lid(Short.toUnsignedInt(raw.get(JAVA_SHORT, IbvPortAttr.LID)))
                .smLid(Short.toUnsignedInt(raw.get(JAVA_SHORT, IbvPortAttr.SM_LID)))
                .lmc(raw.get(JAVA_BYTE, IbvPortAttr.LMC) & 7)
                .smSl(raw.get(JAVA_BYTE, IbvPortAttr.SM_SL) & 15)
                .linkLayerCode(Byte.toUnsignedInt(raw.get(JAVA_BYTE, IbvPortAttr.LINK_LAYER)))
                .grhRequired((raw.get(JAVA_BYTE, IbvPortAttr.FLAGS) & GRH_REQUIRED) != 0)
                .capabilityFlags(raw.get(JAVA_INT, IbvPortAttr.PORT_CAP_FLAGS))
                .badPkeyCounter(saturated(raw.get(JAVA_INT, IbvPortAttr.BAD_PKEY_CNTR)))
                .qkeyViolationCounter(saturated(raw.get(JAVA_INT, IbvPortAttr.QKEY_VIOL_CNTR)))
                .activeSpeedMbps((long) power(speed, LANE_SPEED) * power(width, LANES))
                .activeSpeedCode(speed)
                .activeWidthCode(width)
                .subnetTimeout(raw.get(JAVA_BYTE, IbvPortAttr.SUBNET_TIMEOUT) & 31)
                .build();
    }

    /** Returns the GID table entries of one port; {@code _ibv_query_gid_table} returns the entries of all ports. */
    List<GidEntry> gidTable(int port) throws VerbsException {
        // _ibv_query_gid_table fails if the array is too short, so the array has room for the entries of all ports.
        long length = 0;
        for (int each = 1; each <= count; each++) {
            length += queryPort(each).gidTableLength();
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment raw = arena.allocate(IbvGidEntry.LAYOUT, Math.max(1L, length));
            MemorySegment callState = CallState.allocate(arena);
            long size = IbvGidEntry.LAYOUT.byteSize();
            long count = calls.queryGidTable(callState, context, raw, raw.byteSize() / size, 0, size);
            if (count < 0) {
                throw Outcome.refusal(
                        Outcome.number(count, callState), "ibv_query_gid_table", asking(port) + "'s GIDs", WHICH);
            }
            List<GidEntry> entries = new ArrayList<>();
            for (long i = 0; i < count; i++) {
                MemorySegment entry = raw.asSlice(i * size, size);
                if (entry.get(JAVA_INT, IbvGidEntry.PORT_NUM) == port) {
                    entries.add(entry(entry, port));
                }
            }
            return List.copyOf(entries);
        }
    }

    private static GidEntry entry(MemorySegment raw, int port) {
        return GidEntry.builder()
                .port(port)
                .index(raw.get(JAVA_INT, IbvGidEntry.GID_INDEX))
                .gid(PathCodec.gid(raw, IbvGidEntry.GID))
                .typeCode(raw.get(JAVA_INT, IbvGidEntry.GID_TYPE))
                .interfaceName(interfaceName(raw.get(JAVA_INT, IbvGidEntry.NDEV_IFINDEX)))
                .build();
    }

    private static String interfaceName(int index) {
        if (index <= 0) {
            return "";
        }
        try {
            NetworkInterface found = NetworkInterface.getByIndex(index);
            return found == null ? "" : found.getName();
        } catch (SocketException unknown) {
            return ""; // The interface name is only information for users.
        }
    }

    int queryPkey(int port, int index) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pkey = arena.allocate(JAVA_SHORT);
            Outcome.check(
                    "ibv_query_pkey",
                    asking(port) + "'s P_Key " + index,
                    "see PortAttributes.pkeyTableLength()",
                    callState -> calls.queryPkey(callState, context, port & 0xFF, index, pkey));
            return pkey.get(NETWORK_SHORT, 0) & PKEY_BITS;
        }
    }

    /**
     * Returns the port's encoded speed: {@code active_speed_ex}, or {@code active_speed} if {@code active_speed_ex} is 0.
     * User-space drivers older than rdma-core 49 do not set {@code active_speed_ex}.
     */
    private static int speed(MemorySegment raw) {
        int extended = raw.get(JAVA_INT, IbvPortAttr.ACTIVE_SPEED_EX);
        return extended != 0 ? extended : Byte.toUnsignedInt(raw.get(JAVA_BYTE, IbvPortAttr.ACTIVE_SPEED));
    }

    private static int saturated(int counter) {
        return counter < 0 ? PKEY_BITS : Math.min(counter, PKEY_BITS);
    }

    private static int power(int code, int[] table) {
        int place = Integer.numberOfTrailingZeros(code);
        return Integer.bitCount(code) == 1 && place < table.length ? table[place] : 0;
    }
}
