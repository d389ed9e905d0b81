package dev.verbena.conformance;

import dev.verbena.conformance.side.Endpoint;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.VerbsException;

/** Two devices of this process, or one in loop-back; what else a provider has to offer, a subclass says. */
public class LocalRig implements ProviderRig {
    private final Device first;
    private final Device second;

    /**
     * Takes over two open devices.
     *
     * @param first the device of the side that requests; closed with the rig
     * @param second the device of the side that responds; closed with the rig, and may be the first
     */
    public LocalRig(Device first, Device second) {
        this.first = first;
        this.second = second;
    }

    @Override
    public Endpoint first() {
        return Endpoint.local(first);
    }

    @Override
    public Endpoint second() {
        return Endpoint.local(second);
    }

    /** Closes both devices, whichever of them fails. */
    @Override
    public void close() throws VerbsException {
        try (first) {
            if (!second.equals(first)) {
                second.close();
            }
        }
    }
}
