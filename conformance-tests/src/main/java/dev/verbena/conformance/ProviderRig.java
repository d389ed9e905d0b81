package dev.verbena.conformance;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.QpConnector;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.time.Duration;

/**
 * What the kit needs to know of a provider: two devices that reach each other, how queue pairs are connected, and how long to
 * wait. A rig is opened for every try of a rule and closed after it; it may hand out the same open devices again.
 *
 * <p>For one thread at a time.
 */
public interface ProviderRig extends AutoCloseable {
    /**
     * Returns the device of the side that requests.
     *
     * @return an open device, the same at every call
     */
    Device first();

    /**
     * Returns the device of the side that responds. It may be the same device in loop-back.
     *
     * @return an open device, the same at every call, in the same time as {@link #first()}
     */
    Device second();

    /**
     * Connects two queue pairs, one of each device. Unless overridden the sides exchange their numbers.
     *
     * @param first the requesting side
     * @param second the responding side
     * @throws VerbsException if one side cannot be connected
     */
    default void connect(QpConnector first, QpConnector second) throws VerbsException {
        second.connect(first.local());
        first.connect(second.local());
    }

    /**
     * Returns the time that both devices live in.
     *
     * @return the runtime
     */
    default VerbsRuntime runtime() {
        return first().runtime();
    }

    /**
     * Says how long something that must happen may take. Generous: it is only used up by failures.
     *
     * @return the deadline of every wait
     */
    default Duration patience() {
        return Duration.ofSeconds(10);
    }

    /**
     * Says how long nothing must happen to count as nothing. It is used up by every rule that says so.
     *
     * @return a second where time is simulated and costs nothing, otherwise 20 milliseconds
     */
    default Duration silence() {
        return runtime().isVirtual() ? Duration.ofSeconds(1) : Duration.ofMillis(20);
    }

    /**
     * Gives back what this rig opened for itself.
     *
     * @throws VerbsException if a rule left something open, so that a device cannot be closed
     */
    @Override
    void close() throws VerbsException;
}
