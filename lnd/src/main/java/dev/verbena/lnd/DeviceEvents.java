// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.memory.Cleanup;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.Device;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Delivers a device's asynchronous events to all nodes that use the device, because a device accepts only one event
 * handler. Thread-safe. Source: {@code ib_register_event_handler}.
 */
final class DeviceEvents implements AsyncEventHandler {

    private static final Map<Device, DeviceEvents> BY_DEVICE = new WeakHashMap<>();

    private final List<AsyncEventHandler> listeners = new CopyOnWriteArrayList<>();

    private DeviceEvents() {}

    static void add(Device device, AsyncEventHandler listener) {
        synchronized (BY_DEVICE) {
            DeviceEvents events = BY_DEVICE.computeIfAbsent(device, absent -> new DeviceEvents());
            events.listeners.add(listener);
            device.asyncEvents().setHandler(events);
        }
    }

    static void remove(Device device, AsyncEventHandler listener) {
        synchronized (BY_DEVICE) {
            DeviceEvents events = BY_DEVICE.get(device);
            if (events != null && events.listeners.remove(listener) && events.listeners.isEmpty()) {
                BY_DEVICE.remove(device);
                device.asyncEvents().setHandler(null);
            }
        }
    }

    /** Calls every listener, even if an earlier listener throws an exception. */
    @Override
    public void onAsyncEvent(AsyncEvent event) {
        Cleanup calls = new Cleanup(null);
        listeners.forEach(listener -> calls.step(() -> listener.onAsyncEvent(event)));
        calls.endUnchecked();
    }
}
