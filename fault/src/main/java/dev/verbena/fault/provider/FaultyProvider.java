// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault.provider;

import dev.verbena.verbs.Availability;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceInfo;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Leak;
import dev.verbena.verbs.ProviderExtension;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsRuntime;
import java.util.List;
import java.util.Optional;

/**
 * A provider that wraps another provider. The wrapped provider may use hardware. A test selects calls and completions, and
 * the wrapper makes them fail, so that the test reaches the error paths of an application.
 *
 * <p>The provider returns proxies for the objects of devices and connection management. An application uses the proxies
 * like the objects of the wrapped provider.
 *
 * <p>A test can request that the nth call of a method fails; a {@link FaultyCall} identifies the method. The provider
 * counts the calls of this method on all its objects, starting with the next call. Thread-safe. Every call of a verbs
 * object passes through a {@link java.lang.reflect.Proxy}, which costs time, so this provider is for tests only.
 *
 * @since 1.0
 */
public final class FaultyProvider implements VerbsProvider {
    private final VerbsProvider real;
    private final FaultOrders orders = new FaultOrders();
    private final FaultyObjects objects;

    /**
     * Creates a provider that forwards all calls until a test requests a fault.
     *
     * @param real the wrapped provider, which executes the calls
     */
    public FaultyProvider(VerbsProvider real) {
        this.real = real;
        objects = new FaultyObjects(orders, real);
    }

    /**
     * Makes one call fail.
     *
     * @param call the method
     * @param nth the number of the failing call, counted from now on; 1 is the next call
     * @param errno the errno of the failure. A post method that fails refuses the work request and throws no exception. The
     *     reason is a {@link dev.verbena.verbs.PostRefusal} that has this errno, or DEVICE_ERROR if no {@code PostRefusal}
     *     has it. A fault of {@code VerbsArena.allocate} applies to every method that allocates in an arena, and causes an
     *     OutOfMemoryError
     * @return an object whose {@code close} ends the fault: later calls no longer fail. The {@code close} never throws
     */
    public AutoCloseable fail(FaultyCall call, long nth, Errno errno) {
        return fail(call, nth, 1, errno);
    }

    /**
     * Makes several successive calls fail.
     *
     * @param call the method
     * @param nth the number of the first failing call, counted from now on; 1 is the next call
     * @param count the number of calls that fail; {@link Long#MAX_VALUE} means that no later call succeeds
     * @param errno the errno of the failures
     * @return an object whose {@code close} ends the fault: later calls no longer fail. The {@code close} never throws
     * @throws IllegalArgumentException if the parameter {@code nth} or {@code count} is below 1
     */
    public AutoCloseable fail(FaultyCall call, long nth, long count, Errno errno) {
        if (nth < 1 || count < 1) {
            throw new IllegalArgumentException(
                    "nth and count must be at least 1; nth is " + nth + ", count is " + count);
        }
        return orders.fail(call, nth, count, errno);
    }

    /**
     * Returns how often a method was called.
     *
     * @param call the method
     * @return the number of calls on all objects of this provider
     */
    public long calls(FaultyCall call) {
        return orders.calls(call);
    }

    /**
     * Applies a fault rule to every completion of this provider's completion queues, before a poll returns it.
     *
     * @param rule the fault rule; the provider applies fault rules in the order of their addition
     */
    public void onCompletion(CompletionRule rule) {
        orders.add(rule);
    }

    /**
     * Hides capabilities, as if the devices lacked them. {@link Device#capabilities} omits a hidden capability. {@link
     * Device#extension} returns empty for the optional interface of a hidden capability. A call that needs a hidden
     * capability throws a {@link dev.verbena.verbs.CapabilityException}, as does {@link Device#require} for a hidden
     * capability. A work request that needs a hidden capability is refused with OPCODE_NOT_SUPPORTED. {@code hide} has no
     * effect on calls that cannot report an error, nor on the calls for asynchronous events.
     *
     * @param capabilities the capabilities to hide
     */
    public void hide(Capability... capabilities) {
        orders.hide(capabilities);
    }

    /**
     * Stops a device as a hardware fault does, and raises DEVICE_FATAL. After {@code kill}, every call on the device
     * and its objects fails with {@code EIO}, posts are refused, and polls return no completion. Closing still works.
     *
     * @param deviceName the name of the device; every open device of this name fails, and another open of the name
     *     fails with {@code ENODEV}
     */
    public void kill(String deviceName) {
        objects.kill(deviceName);
    }

    @Override
    public String name() {
        return real.name();
    }

    @Override
    public Availability availability() {
        return real.availability();
    }

    @Override
    public List<DeviceInfo> devices() throws VerbsException {
        return real.devices().stream()
                .filter(device -> !objects.isDead(device.name()))
                .toList();
    }

    @Override
    public Device open(String deviceName) throws VerbsException {
        return objects.open(deviceName);
    }

    @Override
    public <T extends ProviderExtension> Optional<T> extension(Class<T> type) {
        return real.extension(type).map(found -> objects.stand(type, found));
    }

    @Override
    public VerbsRuntime runtime() {
        return real.runtime();
    }

    @Override
    public List<Leak> leaks() {
        return real.leaks();
    }

    @Override
    public void close() {
        real.close();
    }
}
