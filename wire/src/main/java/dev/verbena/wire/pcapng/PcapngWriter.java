// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire.pcapng;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes IP datagrams to a pcapng file (IETF draft-ietf-opsawg-pcapng). The file has one section, with an interface
 * description for each device, and an enhanced packet block for each packet. The link type of all interfaces is RAW, so
 * each packet begins with its IP header. The time stamps have a resolution of one nanosecond.
 *
 * <p>The writer buffers blocks, and writes them to the channel when the buffer is full, in {@link #flush()} and in
 * {@link #close()}. After an {@link IOException} the writer keeps the unwritten blocks, and the next call tries to
 * write them again. This class is not thread-safe.
 */
public final class PcapngWriter implements Closeable {
    /** The link type RAW: each packet begins with its IP header. */
    public static final int LINK_TYPE_RAW = 101;

    private static final int SECTION_HEADER_BLOCK = 0x0a0d_0d0a;
    private static final int INTERFACE_DESCRIPTION_BLOCK = 1;
    private static final int ENHANCED_PACKET_BLOCK = 6;

    private static final int BYTE_ORDER_MAGIC = 0x1a2b_3c4d;
    private static final short MAJOR_VERSION = 1;
    private static final short MINOR_VERSION = 0;
    private static final long SECTION_LENGTH_UNKNOWN = -1;
    private static final int NO_SNAP_LENGTH = 0;

    private static final short OPTION_END = 0;
    private static final short OPTION_COMMENT = 1;
    private static final short OPTION_APPLICATION = 4;
    private static final short OPTION_INTERFACE_NAME = 2;
    private static final short OPTION_TIME_RESOLUTION = 9;
    private static final short OPTION_PACKET_FLAGS = 2;
    private static final byte NANOSECONDS = 9;
    private static final String APPLICATION = "Verbena";

    private static final int ALIGNMENT = 4;
    private static final int MAX_PACKET = 0xffff;
    private static final int MAX_OPTION = 0xffff;

    /** An upper bound in bytes for the type, lengths, fixed fields, option headers and padding of a pcapng block. */
    private static final int MAX_OVERHEAD = 128;

    private static final int BUFFER_LENGTH = 256 * 1024;

    private final WritableByteChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private final MemorySegment bufferSegment = MemorySegment.ofBuffer(buffer);
    private int interfaces;
    private boolean closed;

    /**
     * Starts a capture.
     *
     * @param channel the blocking channel to which the capture is written; {@link #close()} closes the channel
     */
    public PcapngWriter(WritableByteChannel channel) {
        this.channel = channel;
        int start = beginBlock(SECTION_HEADER_BLOCK);
        buffer.putInt(BYTE_ORDER_MAGIC).putShort(MAJOR_VERSION).putShort(MINOR_VERSION);
        buffer.putLong(SECTION_LENGTH_UNKNOWN);
        putOption(OPTION_APPLICATION, APPLICATION.getBytes(StandardCharsets.UTF_8));
        putEndOfOptions();
        endBlock(start);
    }

    /**
     * Starts a capture in a file, which is created or overwritten.
     *
     * @param file the path of the file
     * @return the writer
     * @throws IOException if the file cannot be written
     */
    public static PcapngWriter open(Path file) throws IOException {
        return new PcapngWriter(FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE));
    }

    /**
     * Writes a pcapng interface description, to which later packets in the file can refer.
     *
     * @param name the interface name that Wireshark displays, such as the name of a device
     * @return the index of the new interface in the file, counted from 0, to pass to {@code write}
     * @throws IOException if writing to the channel fails
     * @throws IllegalArgumentException if the interface name is longer than 65535 bytes in UTF-8
     */
    public int addInterface(String name) throws IOException {
        byte[] encoded = encode(name, "interface name");
        makeRoom(encoded.length);
        int start = beginBlock(INTERFACE_DESCRIPTION_BLOCK);
        buffer.putShort((short) LINK_TYPE_RAW).putShort((short) 0).putInt(NO_SNAP_LENGTH);
        putOption(OPTION_INTERFACE_NAME, encoded);
        buffer.putShort(OPTION_TIME_RESOLUTION).putShort((short) 1).put(NANOSECONDS);
        pad(1);
        putEndOfOptions();
        endBlock(start);
        return interfaces++;
    }

    /**
     * Writes a packet to the capture.
     *
     * @param interfaceNumber the number of the interface that sent or received the packet
     * @param nanos the time of the packet in nanoseconds, since 1970 or since the start of virtual time; not negative
     * @param datagram the memory segment that begins with the IP datagram
     * @param length the length of the IP datagram in bytes, 0..65535
     * @param direction whether the interface sent or received the packet
     * @param comment the comment that Wireshark displays with the packet, or null for no comment
     * @throws IOException if writing to the channel fails
     * @throws IllegalArgumentException if the comment has over 65535 bytes in UTF-8, or {@code length} is not 0..65535
     * @throws IndexOutOfBoundsException if the interface does not exist, or {@code datagram} is shorter than {@code length}
     */
    public void write(
            int interfaceNumber,
            long nanos,
            MemorySegment datagram,
            int length,
            Direction direction,
            @Nullable String comment)
            throws IOException {
        Objects.checkIndex(interfaceNumber, interfaces);
        if (length < 0 || length > MAX_PACKET) {
            throw new IllegalArgumentException("an IP datagram cannot be " + length + " bytes long");
        }
        Objects.checkFromIndexSize(0, length, datagram.byteSize());
        byte @Nullable [] encoded = comment == null ? null : encode(comment, "comment");
        makeRoom(length + (encoded == null ? 0 : encoded.length));
        int start = beginBlock(ENHANCED_PACKET_BLOCK);
        buffer.putInt(interfaceNumber).putInt((int) (nanos >>> Integer.SIZE)).putInt((int) nanos);
        buffer.putInt(length).putInt(length);
        MemorySegment.copy(datagram, 0, bufferSegment, buffer.position(), length);
        buffer.position(buffer.position() + length);
        pad(length);
        if (encoded != null) {
            putOption(OPTION_COMMENT, encoded);
        }
        buffer.putShort(OPTION_PACKET_FLAGS).putShort((short) Integer.BYTES).putInt(direction.flags());
        putEndOfOptions();
        endBlock(start);
    }

    /**
     * Writes all buffered blocks to the channel.
     *
     * @throws IOException if writing to the channel fails
     */
    public void flush() throws IOException {
        buffer.flip();
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        } finally {
            buffer.compact();
        }
    }

    /**
     * Writes all buffered blocks, and closes the channel even if writing fails. Closing the writer again has no effect.
     *
     * @throws IOException if writing to the channel or closing the channel fails
     */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try (channel) {
            flush();
        }
    }

    private static byte[] encode(String text, String what) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        if (encoded.length > MAX_OPTION) {
            throw new IllegalArgumentException(
                    "a " + what + " of " + encoded.length + " bytes is more than the " + MAX_OPTION + " of pcapng");
        }
        return encoded;
    }

    /**
     * Flushes the buffer if it has no room for a pcapng block whose packet and comment, or interface name, have {@code
     * variableLength} bytes. The caller must call this method before it writes the first byte of the pcapng block.
     */
    private void makeRoom(int variableLength) throws IOException {
        if (buffer.remaining() < variableLength + MAX_OVERHEAD) {
            flush();
        }
    }

    /** Begins a pcapng block, and reserves the field for the block's length, which {@link #endBlock} writes. */
    private int beginBlock(int type) {
        int start = buffer.position();
        buffer.putInt(type).putInt(0);
        return start;
    }

    private void endBlock(int start) {
        int length = buffer.position() - start + Integer.BYTES;
        buffer.putInt(start + Integer.BYTES, length).putInt(length);
    }

    private void putOption(short code, byte[] value) {
        buffer.putShort(code).putShort((short) value.length).put(value);
        pad(value.length);
    }

    private void putEndOfOptions() {
        buffer.putShort(OPTION_END).putShort((short) 0);
    }

    private void pad(int length) {
        for (int i = length; i % ALIGNMENT != 0; i++) {
            buffer.put((byte) 0);
        }
    }
}
