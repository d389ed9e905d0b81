// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import dev.verbena.lnet.Nid;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Makes the same checks as {@code kiblnd_unpack_msg}, in the same order. Reads no field beyond the end of the message. */
final class MessageValidation {

    private static final int BYTES_FOR_VERSION = 6;

    private MessageValidation() {}

    static MessageDefect check(LndMessage message, MemorySegment bytes, long start, long received, int maxFragments) {
        if (received < BYTES_FOR_VERSION) {
            return MessageDefect.TOO_SHORT_FOR_VERSION;
        }
        int magic = bytes.get(ByteOrderedView.INT, start + MessageHeader.MAGIC);
        if (magic != Protocol.MAGIC && magic != Integer.reverseBytes(Protocol.MAGIC)) {
            return MessageDefect.BAD_MAGIC;
        }
        message.layOut(magic != Protocol.MAGIC);
        MessageHeader header = message.header();
        if (header.version() != Protocol.VERSION_1 && header.version() != Protocol.VERSION_2) {
            return MessageDefect.BAD_VERSION;
        }
        if (received < MessageHeader.LENGTH) {
            return MessageDefect.TOO_SHORT_FOR_HEADER;
        }
        long length = header.length();
        if (length > received) {
            return MessageDefect.LENGTH_BEYOND_RECEIVED;
        }
        if (header.checksum() != 0 && !Checksum.matches(header.checksum(), bytes, start, length)) {
            return MessageDefect.BAD_CHECKSUM;
        }
        if (header.i64(MessageHeader.SRCNID) == Nid.ANY.value()) {
            return MessageDefect.WILDCARD_SOURCE;
        }
        return checkBody(message, length, maxFragments);
    }

    private static MessageDefect checkBody(LndMessage message, long length, int maxFragments) {
        @Nullable MessageType type = MessageType.of(message.header().typeCode());
        if (type == null) {
            return MessageDefect.UNKNOWN_TYPE;
        }
        if (length < type.minimumLength()) {
            return MessageDefect.TOO_SHORT_FOR_TYPE;
        }
        message.placeBody(type);
        return type.hasDescriptor() ? checkDescriptor(message, type, length, maxFragments) : MessageDefect.NONE;
    }

    private static MessageDefect checkDescriptor(LndMessage message, MessageType type, long length, int maxFragments) {
        int fragments = message.descriptor().fragmentCount();
        if (fragments <= 0 || fragments > maxFragments) {
            return MessageDefect.BAD_FRAGMENT_COUNT;
        }
        return length < type.minimumLength() + (long) fragments * RdmaDescriptor.FRAGMENT_LENGTH
                ? MessageDefect.TOO_SHORT_FOR_FRAGMENTS
                : MessageDefect.NONE;
    }
}
