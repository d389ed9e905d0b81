// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.network;

import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

public record Capture(Path file, Place place) {
    public enum Place {
        /** The packets are captured before faults are applied. */
        SENT,
        /** The packets are captured after faults were applied. */
        SURVIVED,
        /** The packets are captured before and after the faults; each packet is marked as sent or as received. */
        BOTH;

        boolean sent() {
            return this != SURVIVED;
        }

        boolean survived() {
            return this != SENT;
        }
    }

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
