// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.regex.Pattern;

/**
 * A globally unique identifier (EUI-64) of a node, a system image or a port ({@code node_guid} of {@code
 * ibv_query_device}(3), IBTA volume 1, 4.1).
 *
 * @param value the eight bytes of the GUID as a big-endian number; 0 means no GUID
 * @since 1.0
 */
public record Guid(long value) {
    private static final Pattern GROUPS = Pattern.compile("[0-9a-fA-F]{1,4}(:[0-9a-fA-F]{1,4}){3}");
    private static final Pattern DIGITS = Pattern.compile("(0[xX])?[0-9a-fA-F]{16}");

    /**
     * Parses a GUID printed by {@code ibv_devinfo} ({@code 0002:c903:00a1:b2c0}) or {@code ibstat}
     * ({@code 0x0002c90300a1b2c0}).
     *
     * @param text a GUID as four groups of up to four hexadecimal digits, or as sixteen digits with or without {@code 0x}
     * @return the GUID
     * @throws IllegalArgumentException if the text has neither of the two formats
     */
    public static Guid parse(String text) {
        if (DIGITS.matcher(text).matches()) {
            return new Guid(Long.parseUnsignedLong(text.substring(text.length() - 16), 16));
        }
        if (!GROUPS.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "guid '" + text + "' is not legal; write 0002:c903:00a1:b2c0 or 0x0002c90300a1b2c0");
        }
        long value = 0;
        for (String group : text.split(":", -1)) {
            value = value << 16 | Integer.parseInt(group, 16);
        }
        return new Guid(value);
    }

    /** {@return the GUID in the format of {@code ibv_devinfo}, such as {@code 0002:c903:00a1:b2c0}} */
    @Override
    public String toString() {
        return String.format(
                "%04x:%04x:%04x:%04x", value >>> 48, value >>> 32 & 0xFFFF, value >>> 16 & 0xFFFF, value & 0xFFFF);
    }
}
