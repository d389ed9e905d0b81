package dev.verbena.verbs;

import java.util.List;

/**
 * The counters of a device, which go on while they are read: {@code device.extension(Counters.class)}. For any thread.
 *
 * @since 1.0
 */
public interface Counters extends DeviceExtension {
    /**
     * Reads all counters; each by itself is exact, together they are no snapshot.
     *
     * @return every counter that the device has, always in the same order
     */
    List<CounterReading> read();
}
