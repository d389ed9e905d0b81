// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.options;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

public final class SeedConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is not a seed; write a whole number such as 7");
        }
    }
}
