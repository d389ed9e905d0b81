// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.network;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

public enum Carrier {
    IN_PROCESS("in-process"),
    UDP("udp");

    private final String word;

    Carrier(String word) {
        this.word = word;
    }

    @Override
    public String toString() {
        return word;
    }

    public static final class Converter implements ITypeConverter<Carrier> {
        @Override
        public Carrier convert(String text) {
            for (Carrier carrier : values()) {
                if (carrier.word.equals(text)) {
                    return carrier;
                }
            }
            throw new TypeConversionException("'" + text + "' is not a fabric; write in-process or udp");
        }
    }
}
