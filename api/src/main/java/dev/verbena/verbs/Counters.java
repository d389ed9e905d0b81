// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.List;

/**
 * The counters of a device. A program obtains them with {@code device.extension(Counters.class)}. A counter may change
 * while a thread reads another counter. Thread-safe.
 *
 * @since 1.0
 */
public interface Counters extends DeviceExtension {
    /**
     * {@return all counters of the device, always in the same order; each value is exact, but the values do not belong to the
     * same moment}
     */
    List<CounterReading> read();
}
