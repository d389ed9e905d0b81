// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.pcapng;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A reader of pcapng files by the format's draft, for the blocks that the writer writes. */
final class Pcapng {
    /** A block: its type, its body, and its options by code. */
    record Block(int type, ByteBuffer body, Map<Integer, byte[]> options) {
        String text(int option) {
            return new String(options.get(option), StandardCharsets.UTF_8);
        }
    }

    /** A packet as a reader of the file sees it. */
    record Packet(int interfaceNumber, long nanos, List<Byte> data, int originalLength, int flags, String comment) {}

    private static final int SECTION_HEADER = 0x0a0d0d0a;
    private static final int INTERFACE_DESCRIPTION = 1;
    private static final int ENHANCED_PACKET = 6;

    private final List<Block> blocks = new ArrayList<>();

    Pcapng(byte[] file) {
        ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
            int start = in.position();
            int type = in.getInt();
            int length = in.getInt();
            check(length % 4 == 0 && length >= 12 && length <= file.length - start, "block length " + length);
            check(in.getInt(start + length - 4) == length, "the second length of the block");
            int optionsAt = switch (type) {
                case SECTION_HEADER -> 16;
                case INTERFACE_DESCRIPTION -> 8;
                case ENHANCED_PACKET -> 20 + (in.getInt(start + 8 + 12) + 3) / 4 * 4;
                default -> throw new IllegalArgumentException("block type " + type);
            };
            ByteBuffer body = in.slice(start + 8, length - 12).order(ByteOrder.LITTLE_ENDIAN);
            blocks.add(new Block(
                    type,
                    body,
                    options(body.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(optionsAt))));
            in.position(start + length);
        }
    }

    Block section() {
        check(blocks.getFirst().type == SECTION_HEADER, "a section header in front");
        return blocks.getFirst();
    }

    List<Block> interfaces() {
        return blocks.stream()
                .filter(block -> block.type == INTERFACE_DESCRIPTION)
                .toList();
    }

    List<Packet> packets() {
        List<Packet> packets = new ArrayList<>();
        for (Block block : blocks) {
            if (block.type == ENHANCED_PACKET) {
                packets.add(packet(block));
            }
        }
        return packets;
    }

    private static Packet packet(Block block) {
        ByteBuffer body = block.body;
        long nanos = ((long) body.getInt(4) << 32) | (body.getInt(8) & 0xffff_ffffL);
        List<Byte> data = new ArrayList<>();
        for (int i = 0; i < body.getInt(12); i++) {
            data.add(body.get(20 + i));
        }
        int flags = ByteBuffer.wrap(block.options.get(2))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt();
        String comment = block.options.containsKey(1) ? block.text(1) : null;
        return new Packet(body.getInt(0), nanos, data, body.getInt(16), flags, comment);
    }

    private static Map<Integer, byte[]> options(ByteBuffer in) {
        Map<Integer, byte[]> options = new LinkedHashMap<>();
        while (true) {
            int code = in.getShort() & 0xffff;
            byte[] value = new byte[in.getShort() & 0xffff];
            if (code == 0) {
                check(value.length == 0 && !in.hasRemaining(), "nothing after the end of options");
                return options;
            }
            in.get(value);
            in.position((in.position() + 3) / 4 * 4);
            check(options.put(code, value) == null, "each option once");
        }
    }

    private static void check(boolean condition, String expected) {
        if (!condition) {
            throw new IllegalArgumentException("expected " + expected);
        }
    }
}
