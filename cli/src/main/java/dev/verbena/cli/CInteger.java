package dev.verbena.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads integers as the originals of the tools do, {@code strtol} with base 0: decimal, hexadecimal after {@code 0x}, octal after
 * {@code 0}. Characters
 * after the number and values beyond 32 bits are refused.
 */
final class CInteger implements ITypeConverter<Integer> {
    private static final int HEX = 16;
    private static final int OCTAL = 8;
    private static final int DECIMAL = 10;

    @Override
    public Integer convert(String text) {
        int start = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
        String digits = text.substring(start);
        boolean negative = text.startsWith("-");
        int radix = digits.startsWith("0x") || digits.startsWith("0X")
                ? HEX
                : digits.length() > 1 && digits.startsWith("0") ? OCTAL : DECIMAL;
        String rest = radix == HEX ? digits.substring(2) : digits;
        // Integer.parseInt would take a second sign.
        if (rest.isEmpty() || !Character.isLetterOrDigit(rest.charAt(0))) {
            throw refusal(text);
        }
        try {
            return Integer.parseInt((negative ? "-" : "") + rest, radix);
        } catch (NumberFormatException e) {
            throw refusal(text);
        }
    }

    private static TypeConversionException refusal(String text) {
        return new TypeConversionException("'" + text
                + "' is not an integer of 32 bits; write it decimal, hexadecimal after 0x, or octal after 0");
    }
}
