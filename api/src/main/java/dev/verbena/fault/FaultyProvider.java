package dev.verbena.fault;

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
 * A provider around any other one, hardware included, in which calls and completions go wrong by order: the way to a program's
 * error paths.
 *
 * <p>Whatever devices and connection management hand out is stood for by objects of this provider; a program uses them as it
 * would the real ones.
 *
 * <p>Calls of a {@link FaultyCall} are counted over all objects of this provider from the order on. May be used from several threads. It is for tests: each call costs a little.
 *
 * @since 1.0
 */
public final class FaultyProvider implements VerbsProvider {
    private final VerbsProvider real;
    private final FaultOrders orders = new FaultOrders();
    private final FaultyObjects objects;

    /**
     * Makes a provider that behaves as another one until ordered otherwise.
     *
     * @param real the provider that does the work
     */
    public FaultyProvider(VerbsProvider real) {
        this.real = real;
        objects = new FaultyObjects(orders, real);
    }

    /**
     * Lets one call fail.
     *
     * @param call the method
     * @param nth which call from now on; 1 is the next
     * @param errno what it fails with; a post is refused for a reason with this errno instead of throwing, and {@code
     *     VerbsArena.allocate}, which stands for everything that allocates in an arena, throws an OutOfMemoryError
     * @return takes the order back; closing never throws
     */
    public AutoCloseable fail(FaultyCall call, long nth, Errno errno) {
        return fail(call, nth, 1, errno);
    }

    /**
     * Lets several calls in a row fail.
     *
     * @param call the method
     * @param nth the first call from now on that fails; 1 is the next
     * @param count how many, {@link Long#MAX_VALUE} for all
     * @param errno what they fail with
     * @return takes the order back; closing never throws
     * @throws IllegalArgumentException if a number is below 1
     */
    public AutoCloseable fail(FaultyCall call, long nth, long count, Errno errno) {
        if (nth < 1 || count < 1) {
            throw new IllegalArgumentException(
                    "calls are counted from 1, and at least 1; not " + count + " from " + nth);
        }
        return orders.fail(call, nth, count, errno);
    }

    /**
     * Tells how often a method was called.
     *
     * @param call the method
     * @return calls on all objects of this provider
     */
    public long calls(FaultyCall call) {
        return orders.calls(call);
    }

    /**
     * Has completions judged before the program sees them, by all completion queues of this provider.
     *
     * @param rule asked after those that were added before
     */
    public void onCompletion(CompletionRule rule) {
        orders.add(rule);
    }

    /**
     * Hides capabilities: devices no longer list them, {@link Device#require} and the calls that need them refuse with a {@link
     * dev.verbena.verbs.CapabilityException}, posts refuse the operations with OPCODE_NOT_SUPPORTED, and extensions are not there.
     * What has no way to refuse, such as asynchronous events, goes on working.
     *
     * @param capabilities what is to seem absent
     */
    public void hide(Capability... capabilities) {
        orders.hide(capabilities);
    }

    /**
     * Kills a device as a fault of its hardware would: DEVICE_FATAL is raised, and from now on every call on it and on what
     * belongs to it fails with {@code EIO}, posts are refused, and nothing is polled. Closing works.
     *
     * @param deviceName its name; each opening of it that there is dies, and opening it fails with {@code ENODEV}
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
