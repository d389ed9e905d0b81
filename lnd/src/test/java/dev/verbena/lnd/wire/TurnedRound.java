// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Converts a message of a little-endian host to that of a big-endian host, by a list of the fields that hosts write in
 * their own order. Cookies, the LNet header and payload are not among these.
 */
final class TurnedRound {

    private static final int[] HEADER = {0, 4, 4, 2, 8, 4, 12, 4, 16, 8, 24, 8, 32, 8, 40, 8};
    private static final int[] CONN_PARAMS = {48, 2, 50, 2, 52, 4};
    private static final int[] COMPLETION = {56, 4};
    private static final int[] REJECT = {0, 4, 4, 2, 8, 8, 16, 2, 18, 2, 20, 4};
    private static final int[] PING_INFO = {0, 4, 4, 4, 8, 4, 12, 4};
    private static final int PING_INFO_ENTRIES = 16;
    private static final int PUT_ACK_DESCRIPTOR = 64;
    private static final int GET_REQ_DESCRIPTOR = 128;

    private TurnedRound() {}

    static byte[] message(MessageType type, byte[] little) {
        byte[] header = turn(little, HEADER);
        return switch (type) {
            case CONNREQ, CONNACK -> turn(header, CONN_PARAMS);
            case NOOP, IMMEDIATE, PUT_REQ -> header;
            case PUT_NAK, PUT_DONE, GET_DONE -> turn(header, COMPLETION);
            case PUT_ACK -> descriptor(header, PUT_ACK_DESCRIPTOR);
            case GET_REQ -> descriptor(header, GET_REQ_DESCRIPTOR);
        };
    }

    static byte[] rejection(byte[] little) {
        return turn(little, REJECT);
    }

    static byte[] pingInfo(byte[] little) {
        byte[] turned = turn(little, PING_INFO);
        for (int entry = PING_INFO_ENTRIES; entry < little.length; entry += 16) {
            turned = turn(turned, entry, 8, entry + 8, 4, entry + 12, 4);
        }
        return turned;
    }

    private static byte[] descriptor(byte[] little, int at) {
        int fragments = ByteBuffer.wrap(little).order(ByteOrder.LITTLE_ENDIAN).getInt(at + 4);
        byte[] turned = turn(little, at, 4, at + 4, 4);
        for (int fragment = at + 8; fragment < at + 8 + 12 * fragments; fragment += 12) {
            turned = turn(turned, fragment, 4, fragment + 4, 8);
        }
        return turned;
    }

    private static byte[] turn(byte[] bytes, int... offsetsAndSizes) {
        byte[] copy = bytes.clone();
        for (int i = 0; i < offsetsAndSizes.length; i += 2) {
            int offset = offsetsAndSizes[i];
            int size = offsetsAndSizes[i + 1];
            for (int k = 0; k < size; k++) {
                copy[offset + k] = bytes[offset + size - 1 - k];
            }
        }
        return copy;
    }
}
