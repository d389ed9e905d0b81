// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.options;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of bytes as the user writes it: {@code 4096}, {@code 64K}, {@code 64M} or {@code 2G} (powers of 1024). */
public record ByteSize(long bytes) {
    private static final Pattern SYNTAX = Pattern.compile("(\\d{1,18})([KMG]?)");
    private static final String UNITS = "KMG";

    public static ByteSize parse(String text) {
        Matcher matcher = SYNTAX.matcher(text.trim().toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a size; write a number of bytes such as 4096, or 64K, 64M, 2G");
        }
        String unit = matcher.group(2);
        int shift = unit.isEmpty() ? 0 : 10 * (UNITS.indexOf(unit) + 1);
        long number = Long.parseLong(matcher.group(1));
        if (number > Long.MAX_VALUE >> shift) {
            throw new IllegalArgumentException("'" + text + "' is more than 2^63 - 1 bytes");
        }
        return new ByteSize(number << shift);
    }

    /** Returns a whole number of GiB, MiB or KiB if possible, otherwise a number of bytes. */
    @Override
    public String toString() {
        for (int unit = UNITS.length(); unit > 0; unit--) {
            long one = 1L << (10 * unit);
            if (bytes >= one && bytes % one == 0) {
                return bytes / one + " " + UNITS.charAt(unit - 1) + "iB";
            }
        }
        return bytes + (bytes == 1 ? " byte" : " bytes");
    }

    public static final class Converter implements ITypeConverter<ByteSize> {
        @Override
        public ByteSize convert(String text) {
            try {
                return parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
