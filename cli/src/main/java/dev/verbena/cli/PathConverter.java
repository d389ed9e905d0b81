// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Converts the value of an option to a file path. An empty option value is invalid, because an empty path denotes the
 * current directory.
 */
final class PathConverter implements ITypeConverter<Path> {
    @Override
    public Path convert(String text) {
        if (text.isEmpty()) {
            throw new TypeConversionException("the name of the file is empty; check for an unset shell variable");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new TypeConversionException("'" + text + "' is not the name of a file: " + e.getReason());
        }
    }
}
