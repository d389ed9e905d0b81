// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Psn;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The LID, QPN, PSN and GID of one queue pair, as hexadecimal text in the format of libibverbs' example programs. */
record Destination(int lid, int qpn, Psn psn, Gid gid) {
    /** The all-zero LID, QPN, PSN and GID that a tool sends if the peer expects more queue pairs than the tool has. */
    static final Destination NONE = new Destination(0, 0, Psn.ZERO, Gid.ZERO);

    /** The length in bytes of the text with a queue pair's LID, QPN, PSN and GID, including the terminating zero. */
    static final int BYTES = "0000:000000:000000:".length() + 2 * Gid.BYTES + 1;

    private static final Pattern TEXT =
            Pattern.compile("([0-9a-f]{1,4}):([0-9a-f]{1,6}):([0-9a-f]{1,6}):([0-9a-f]{32})\0.*", Pattern.DOTALL);
    private static final int RADIX = 16;

    byte[] encode() {
        String text =
                String.format(Locale.ROOT, "%04x:%06x:%06x:%016x%016x\0", lid, qpn, psn.value(), gid.high(), gid.low());
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static Destination decode(byte[] bytes) throws IOException {
        String text = new String(bytes, StandardCharsets.US_ASCII);
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IOException("the peer's address is not LID:QPN:PSN:GID in hexadecimal, but "
                    + HexFormat.of().formatHex(bytes));
        }
        String gid = matcher.group(4);
        return new Destination(
                Integer.parseInt(matcher.group(1), RADIX),
                Integer.parseInt(matcher.group(2), RADIX),
                Psn.of(Integer.parseInt(matcher.group(3), RADIX)),
                new Gid(
                        Long.parseUnsignedLong(gid, 0, RADIX, RADIX),
                        Long.parseUnsignedLong(gid, RADIX, 2 * RADIX, RADIX)));
    }

    /** Returns LID, QPN, PSN and GID in the format that the example programs of libibverbs print. */
    String describe(String gidSeparator) {
        return String.format(
                Locale.ROOT, "LID 0x%04x, QPN 0x%06x, PSN 0x%06x%s GID %s", lid, qpn, psn.value(), gidSeparator, gid);
    }
}
