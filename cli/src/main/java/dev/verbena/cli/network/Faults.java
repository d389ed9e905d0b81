// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.network;

import dev.verbena.fault.FaultPlan;
import dev.verbena.fault.Probability;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that inject faults into the fabric. A probability has the form {@code 0.05} or {@code 5%}. */
public final class Faults {
    /** The delay of a reordered packet. In 20 us, a 100 Gb/s link transmits about 60 packets of 4 KiB. */
    private static final Duration REORDER_DELAY = Duration.ofNanos(20_000);

    @Option(
            names = "--loss",
            paramLabel = "P",
            converter = Chance.class,
            description = "Lose each packet with this probability, such as 5%% or 0.05.")
    private Probability loss = Probability.NEVER;

    @Option(
            names = "--duplicate",
            paramLabel = "P",
            converter = Chance.class,
            description = "Deliver each packet twice with this probability.")
    private Probability duplicate = Probability.NEVER;

    @Option(
            names = "--reorder",
            paramLabel = "P",
            converter = Chance.class,
            description = "Delay each packet with this probability, so that later packets overtake it.")
    private Probability reorder = Probability.NEVER;

    @Option(
            names = "--corrupt",
            paramLabel = "P",
            converter = Chance.class,
            description = "Invert one bit of each packet with this probability.")
    private Probability corrupt = Probability.NEVER;

    public FaultPlan plan() {
        return FaultPlan.builder()
                .drop(loss)
                .duplicate(duplicate)
                .reorder(reorder, REORDER_DELAY)
                .corrupt(corrupt)
                .build();
    }

    static final class Chance implements ITypeConverter<Probability> {
        @Override
        public Probability convert(String text) {
            try {
                return Probability.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
