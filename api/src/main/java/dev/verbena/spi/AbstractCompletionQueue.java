// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi;

import dev.verbena.verbs.Capability;
import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Notification;
import dev.verbena.verbs.VerbsException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue of fixed capacity, without a completion channel and without a completion handler. The program must
 * poll the queue. Thread-safe.
 *
 * @since 1.0
 */
public abstract class AbstractCompletionQueue implements CompletionQueue {
    private final Device device;
    private final CqInitAttributes attributes;

    /**
     * Creates a completion queue.
     *
     * @param device the device of the queue
     * @param attributes the attributes of the queue
     */
    protected AbstractCompletionQueue(Device device, CqInitAttributes attributes) {
        this.device = device;
        this.attributes = attributes;
    }

    /**
     * Checks that the attributes of a new completion queue contain neither a completion channel nor a handler.
     * Providers call {@code requireSilent} for devices without {@link Capability#COMPLETION_CHANNEL}.
     *
     * @param device the device of the new queue
     * @param attributes the attributes of the new queue
     * @throws CapabilityException if the attributes have a completion channel or handler
     */
    protected static void requireSilent(Device device, CqInitAttributes attributes) throws CapabilityException {
        if (attributes.channel() != null || attributes.handler() != null) {
            throw new CapabilityException(Capability.COMPLETION_CHANNEL, "ibv_create_cq", device.name());
        }
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public int capacity() {
        return attributes.capacity();
    }

    @Override
    public @Nullable Object context() {
        return attributes.context();
    }

    @Override
    public Optional<CompletionChannel> channel() {
        return Optional.ofNullable(attributes.channel());
    }

    /** Does nothing, because the queue has neither a completion channel nor a completion handler. */
    @Override
    public void requestNotification(Notification kind) {}

    @Override
    public void resize(int capacity) throws VerbsException {
        throw new CapabilityException(Capability.CQ_RESIZE, "ibv_resize_cq", device.name());
    }
}
