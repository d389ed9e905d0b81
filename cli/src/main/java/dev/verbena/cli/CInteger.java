// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads integers as the tools of libibverbs, librdmacm and perftest do, with {@code strtol} and base 0: decimal,
 * hexadecimal after {@code 0x}, octal after {@code 0}. An option value that has trailing characters, or exceeds 32
 * bits, is an error.
 */
final class CInteger implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
        try {
            // Integer.decode accepts "#" instead of "0x", and digits that are not ASCII; C rejects both.
            if (text.chars().allMatch(each -> each < 0x80 && each != '#')) {
                return Integer.decode(text);
            }
        } catch (NumberFormatException e) {
            // The statement after this `try` statement throws an exception that contains the invalid text.
        }
        throw new TypeConversionException("'" + text
                + "' is not an integer of 32 bits; write it decimal, hexadecimal after 0x, or octal after 0");
    }
}
