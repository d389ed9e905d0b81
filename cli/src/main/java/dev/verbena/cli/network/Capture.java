// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.network;

import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

public record Capture(Path file, Place place) {
    public enum Place {
        /** Packets are captured before faults are injected. */
        SENT,
        /** Packets are captured after faults were injected. */
        SURVIVED,
        /** Packets before fault injection are captured as outbound, and packets after fault injection as inbound. */
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
