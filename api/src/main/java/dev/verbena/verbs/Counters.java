// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.List;

/**
 * The counters of a device. A program obtains the counters with {@code device.extension(Counters.class)}. While a thread
 * reads one counter, another counter may change. Thread-safe.
 *
 * @since 1.0
 */
public interface Counters extends DeviceExtension {
    /**
     * {@return all counters of the device, always in the same order; each value is exact, but the values are not read
     * at the same moment}
     */
    List<CounterReading> read();
}
