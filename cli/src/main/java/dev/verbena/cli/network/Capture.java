// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.network;

import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A capture file.
 *
 * @param file its path
 * @param place the packets to capture
 */
public record Capture(Path file, Place place) {
    /** The place at which packets are captured. */
    public enum Place {
        /** Before the faults. */
        SENT,
        /** After the faults. */
        SURVIVED,
        /** At both places; each packet has its direction. */
        BOTH;

        boolean sent() {
            return this != SURVIVED;
        }

        boolean survived() {
            return this != SENT;
        }
    }

    /** Converts the name of a place. */
    public static final class PlaceConverter implements ITypeConverter<Place> {
        @Override
        public Place convert(String text) {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "sent" -> Place.SENT;
                case "survived" -> Place.SURVIVED;
                case "both" -> Place.BOTH;
                default ->
                    throw new TypeConversionException("'" + text + "' is not a tap; write sent, survived or both");
            };
        }
    }
}
