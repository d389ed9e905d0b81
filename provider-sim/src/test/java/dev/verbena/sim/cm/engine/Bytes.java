// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Bytes in forms that tests can compare. */
public final class Bytes {
    private Bytes() {}

    public static List<Byte> list(byte[] bytes) {
        List<Byte> list = new ArrayList<>(bytes.length);
        for (byte each : bytes) {
            list.add(each);
        }
        return list;
    }

    public static List<Byte> list(MemorySegment segment) {
        return list(segment.toArray(ValueLayout.JAVA_BYTE));
    }

    public static MemorySegment segment(List<Byte> list) {
        byte[] bytes = new byte[list.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = list.get(i);
        }
        return MemorySegment.ofArray(bytes);
    }

    public static MemorySegment ascii(String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Pads with zeros, as private data arrives. */
    public static byte[] padded(String text, int length) {
        return Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), length);
    }
}
