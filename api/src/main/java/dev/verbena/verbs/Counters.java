// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.List;

/**
 * The counters of a device, which go on while they are read: {@code device.extension(Counters.class)}. For any thread.
 *
 * @since 1.0
 */
public interface Counters extends DeviceExtension {
    /**
     * Reads all counters. Each value is exact, but the values are not a snapshot of one moment.
     *
     * @return every counter that the device has, always in the same order
     */
    List<CounterReading> read();
}
