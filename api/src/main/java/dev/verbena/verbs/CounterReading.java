// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The value of a counter of a device at one moment.
 *
 * @param name the counter's name, in lower case with underscores, like the file names in {@code hw_counters} under
 *     {@code /sys/class/infiniband}
 * @param value the number of counted events since the device was created
 * @param description a phrase that describes the events that the counter counts
 * @since 1.0
 */
public record CounterReading(String name, long value, String description) {
    /** {@return the name and the value of the counter, such as {@code sent_pkts 17}} */
    @Override
    public String toString() {
        return name + " " + value;
    }
}
