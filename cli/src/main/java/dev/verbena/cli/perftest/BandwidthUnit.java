// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

/** The unit of reported bandwidth. */
public enum BandwidthUnit {
    /** The unit is 2^20 bytes per second. */
    MEBIBYTES("MiB/sec", 1 << 20),
    /** The unit is 10^9 bits per second, which the option {@code --report_gbits} selects. */
    GIGABITS("Gb/sec", 1_000_000_000.0 / Byte.SIZE);

    private final String symbol;
    private final double bytes;

    BandwidthUnit(String symbol, double bytes) {
        this.symbol = symbol;
        this.bytes = bytes;
    }

    String header() {
        return " #bytes     #iterations    BW peak[" + symbol + "]    BW average[" + symbol + "]   MsgRate[Mpps]";
    }

    double of(double bytesPerSecond) {
        return bytesPerSecond / bytes;
    }
}
