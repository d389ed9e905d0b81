package dev.verbena.cli;

import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A file for packets.
 *
 * @param file where to
 * @param place which packets
 */
record Capture(Path file, Place place) {
    /** Where packets are looked at. */
    enum Place {
        /** Before the faults. */
        SENT,
        /** Behind the faults. */
        SURVIVED,
        /** At both places, with the direction. */
        BOTH;

        boolean sent() {
            return this != SURVIVED;
        }

        boolean survived() {
            return this != SENT;
        }
    }

    /** Reads a place. */
    static final class PlaceConverter implements ITypeConverter<Place> {
        @Override
        public Place convert(String text) {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "sent" -> Place.SENT;
                case "survived" -> Place.SURVIVED;
                case "both" -> Place.BOTH;
                default -> throw new TypeConversionException("'" + text + "' is no tap; write sent, survived or both");
            };
        }
    }
}
