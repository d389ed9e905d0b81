// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;

/**
 * An array of {@code struct mmsghdr} of 64-bit Linux. Each {@code struct mmsghdr} points to the peer's address, a control
 * message, and the buffer of one datagram or one GSO/GRO batch. The control message has the level {@code SOL_UDP} and
 * contains one value, the segment length ({@code UDP_SEGMENT} or {@code UDP_GRO}). This class is not thread-safe.
 */
final class MessageVector {
    private static final int MESSAGE = 64;
    private static final int NAME = 0;
    private static final int NAME_LENGTH = 8;
    private static final int PIECES = 16;
    private static final int PIECE_COUNT = 24;
    private static final int CONTROL = 32;
    private static final int CONTROL_LENGTH = 40;
    private static final int BYTES = 56;

    /** The size of {@code struct iovec}. */
    private static final int PIECE = 16;

    private static final int PIECE_LENGTH = 8;

    /**
     * The length in bytes of the buffer for the control messages of one {@code struct mmsghdr}. The kernel may write
     * several control messages, but this class reads only the first one ({@code struct cmsghdr}).
     */
    private static final int CONTROL_ROOM = 64;

    private static final int CONTROL_LEVEL = 8;
    private static final int CONTROL_TYPE = 12;
    private static final int CONTROL_DATA = 16;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private final SocketAddresses addresses = new SocketAddresses();
    private final MemorySegment messages;
    private final MemorySegment pieces;
    private final MemorySegment names;
    private final MemorySegment controls;
    private final MemorySegment errno;
    /** The memory for the results of {@code getsockopt}: first the option's value, then the length of the value. */
    private final MemorySegment option;

    MessageVector(Arena arena, int messageCount, int pieceCount) {
        messages = arena.allocate((long) messageCount * MESSAGE, Long.BYTES);
        pieces = arena.allocate((long) pieceCount * PIECE, Long.BYTES);
        names = arena.allocate((long) messageCount * SocketAddresses.LENGTH, Long.BYTES);
        controls = arena.allocate((long) messageCount * CONTROL_ROOM, Long.BYTES);
        errno = arena.allocate(SocketCalls.ERRNO);
        option = arena.allocate(2L * Integer.BYTES, Integer.BYTES);
        for (int i = 0; i < messageCount; i++) {
            messages.set(LONG, at(i) + NAME, names.address() + (long) i * SocketAddresses.LENGTH);
        }
    }

    private static long at(int message) {
        return (long) message * MESSAGE;
    }

    void piece(int index, long address, long length) {
        pieces.set(LONG, (long) index * PIECE, address);
        pieces.set(LONG, (long) index * PIECE + PIECE_LENGTH, length);
    }

    /** Assigns consecutive {@code struct iovec} elements to a {@code struct mmsghdr}. */
    void message(int index, int firstPiece, int pieceCount) {
        messages.set(LONG, at(index) + PIECES, pieces.address() + (long) firstPiece * PIECE);
        messages.set(LONG, at(index) + PIECE_COUNT, pieceCount);
    }

    /** Sends one datagram. Returns a negative number on failure; {@link #errno()} then returns the error code. */
    int send(int descriptor, long address, int length, InetSocketAddress to) {
        int nameLength = addresses.write(to, names, 0);
        int sent = SocketCalls.sendto(descriptor, address, length, names.address(), nameLength);
        return sent >= 0 ? sent : SocketCalls.sendto(errno, descriptor, address, length, names.address(), nameLength);
    }

    /** Prepares a {@code mmsghdr} to send a GSO batch with a segment length or, if the length is 0, one datagram. */
    void toSend(int index, InetSocketAddress to, int segment) {
        int length = addresses.write(to, names, (long) index * SocketAddresses.LENGTH);
        messages.set(INT, at(index) + NAME_LENGTH, length);
        long control = (long) index * CONTROL_ROOM;
        if (segment == 0) {
            messages.set(LONG, at(index) + CONTROL_LENGTH, 0);
            return;
        }
        controls.set(LONG, control, CONTROL_DATA + Short.BYTES);
        controls.set(INT, control + CONTROL_LEVEL, SocketCalls.SOL_UDP);
        controls.set(INT, control + CONTROL_TYPE, NativeSocketOptions.SEGMENT);
        controls.set(SHORT, control + CONTROL_DATA, (short) segment);
        messages.set(LONG, at(index) + CONTROL, controls.address() + control);
        messages.set(LONG, at(index) + CONTROL_LENGTH, CONTROL_DATA + Long.BYTES);
    }

    void toReceive(int index) {
        messages.set(INT, at(index) + NAME_LENGTH, SocketAddresses.LENGTH);
        messages.set(LONG, at(index) + CONTROL, controls.address() + (long) index * CONTROL_ROOM);
        messages.set(LONG, at(index) + CONTROL_LENGTH, CONTROL_ROOM);
    }

    int received(int index) {
        return messages.get(INT, at(index) + BYTES);
    }

    InetSocketAddress sender(int index) {
        return addresses.read(names, (long) index * SocketAddresses.LENGTH);
    }

    /** Returns the segment length of a received GRO batch, or 0 for one datagram. The last segment may be shorter. */
    int segment(int index) {
        long control = (long) index * CONTROL_ROOM;
        boolean told = messages.get(LONG, at(index) + CONTROL_LENGTH) >= CONTROL_DATA + Integer.BYTES
                && controls.get(INT, control + CONTROL_LEVEL) == SocketCalls.SOL_UDP
                && controls.get(INT, control + CONTROL_TYPE) == NativeSocketOptions.GRO;
        return told ? controls.get(INT, control + CONTROL_DATA) : 0;
    }

    /**
     * Sends datagrams or GSO batches. Returns the number of {@code mmsghdr} sent, or a negative number if the first one
     * failed; {@link #errno()} then returns the error code.
     */
    int send(int descriptor, int first, int count) {
        long begin = messages.address() + at(first);
        int sent = SocketCalls.sendmmsg(descriptor, begin, count);
        return sent >= 0 ? sent : SocketCalls.sendmmsg(errno, descriptor, begin, count);
    }

    /**
     * Receives one datagram as {@link #receiveOne} does, for sockets without GRO. This call costs less than {@code
     * receiveOne}, because the kernel writes no control message.
     */
    int receiveAlone(int descriptor) {
        int length = SocketCalls.recvfrom(
                descriptor,
                pieces.get(LONG, 0),
                pieces.get(LONG, PIECE_LENGTH),
                names.address(),
                messages.address() + NAME_LENGTH);
        messages.set(LONG, CONTROL_LENGTH, 0);
        return took(length);
    }

    /** Receives one datagram or GRO batch without waiting. Returns 1, or a negative number if no datagram has arrived. */
    int receiveOne(int descriptor) {
        return took(SocketCalls.recvmsg(descriptor, messages.address()));
    }

    /** Receives as {@link #receiveOne} does. If no datagram was received, {@link #errno()} returns the error code. */
    int receiveOneOrErrno(int descriptor) {
        return took(SocketCalls.recvmsg(errno, descriptor, messages.address()));
    }

    private int took(int length) {
        messages.set(INT, BYTES, length);
        return length < 0 ? length : 1;
    }

    /** Receives datagrams or GRO batches without waiting. Returns their number, or -1 if no datagram has arrived. */
    int receive(int descriptor, int count) {
        return SocketCalls.recvmmsg(descriptor, messages.address(), count);
    }

    /**
     * Clears and returns the socket's pending error, or 0. The kernel reports a pending error only to the next send,
     * receive or {@code SO_ERROR} call on the socket.
     */
    int pendingError(int descriptor) {
        option.set(INT, Integer.BYTES, Integer.BYTES);
        long value = option.address();
        return SocketCalls.pendingError(descriptor, value, value + Integer.BYTES) == 0 ? option.get(INT, 0) : 0;
    }

    int errno() {
        return SocketCalls.errno(errno);
    }

    /** Sets errno for a call that was not made because the socket is closed. */
    int closed() {
        SocketCalls.errno(errno, SocketCalls.EBADF);
        return -1;
    }
}
