// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.data;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.verbena.ibverbs.struct.IbvAhAttr;
import dev.verbena.ibverbs.struct.IbvGlobalRoute;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GlobalRoute;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Converts address vectors to and from {@code struct ibv_ah_attr}. */
public final class PathCodec {
    private static final ValueLayout.OfLong NETWORK_LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private PathCodec() {}

    public static Gid gid(MemorySegment raw, long offset) {
        return new Gid(raw.get(NETWORK_LONG, offset), raw.get(NETWORK_LONG, offset + Long.BYTES));
    }

    public static void gid(MemorySegment raw, long offset, Gid gid) {
        raw.set(NETWORK_LONG, offset, gid.high());
        raw.set(NETWORK_LONG, offset + Long.BYTES, gid.low());
    }

    /** Writes the path into a structure, which must contain only zeros. */
    public static void write(MemorySegment raw, long offset, AddressVector path) {
        MemorySegment ah = raw.asSlice(offset, IbvAhAttr.LAYOUT);
        ah.set(JAVA_SHORT, IbvAhAttr.DLID, (short) path.destinationLid());
        ah.set(JAVA_BYTE, IbvAhAttr.SL, (byte) path.serviceLevel());
        ah.set(JAVA_BYTE, IbvAhAttr.SRC_PATH_BITS, (byte) path.sourcePathBits());
        ah.set(JAVA_BYTE, IbvAhAttr.STATIC_RATE, (byte) path.staticRate());
        ah.set(JAVA_BYTE, IbvAhAttr.PORT_NUM, (byte) path.port());
        path.route().ifPresent(route -> {
            ah.set(JAVA_BYTE, IbvAhAttr.IS_GLOBAL, (byte) 1);
            MemorySegment grh = ah.asSlice(IbvAhAttr.GRH, IbvGlobalRoute.LAYOUT);
            gid(grh, IbvGlobalRoute.DGID, route.destination());
            grh.set(JAVA_INT, IbvGlobalRoute.FLOW_LABEL, route.flowLabel());
            grh.set(JAVA_BYTE, IbvGlobalRoute.SGID_INDEX, (byte) route.sgidIndex());
            grh.set(JAVA_BYTE, IbvGlobalRoute.HOP_LIMIT, (byte) route.hopLimit());
            grh.set(JAVA_BYTE, IbvGlobalRoute.TRAFFIC_CLASS, (byte) route.trafficClass());
        });
    }

    /** Reads a path. Port number 0 means that the attribute was never set. For 0, this method returns port 1. */
    public static AddressVector read(MemorySegment raw, long offset) {
        MemorySegment ah = raw.asSlice(offset, IbvAhAttr.LAYOUT);
        AddressVector.Builder path = AddressVector.builder()
                .destinationLid(Short.toUnsignedInt(ah.get(JAVA_SHORT, IbvAhAttr.DLID)))
                .serviceLevel(ah.get(JAVA_BYTE, IbvAhAttr.SL) & 15)
                .sourcePathBits(ah.get(JAVA_BYTE, IbvAhAttr.SRC_PATH_BITS) & 0x7F)
                .staticRate(ah.get(JAVA_BYTE, IbvAhAttr.STATIC_RATE) & 0xFF)
                .port(Math.max(1, ah.get(JAVA_BYTE, IbvAhAttr.PORT_NUM) & 0xFF));
        if (ah.get(JAVA_BYTE, IbvAhAttr.IS_GLOBAL) != 0) {
            MemorySegment grh = ah.asSlice(IbvAhAttr.GRH, IbvGlobalRoute.LAYOUT);
            path.route(new GlobalRoute(
                    gid(grh, IbvGlobalRoute.DGID),
                    grh.get(JAVA_INT, IbvGlobalRoute.FLOW_LABEL) & 0xF_FFFF,
                    grh.get(JAVA_BYTE, IbvGlobalRoute.SGID_INDEX) & 0xFF,
                    grh.get(JAVA_BYTE, IbvGlobalRoute.HOP_LIMIT) & 0xFF,
                    grh.get(JAVA_BYTE, IbvGlobalRoute.TRAFFIC_CLASS) & 0xFF));
        }
        return path.build();
    }
}
