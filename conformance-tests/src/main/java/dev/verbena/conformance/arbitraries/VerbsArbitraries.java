package dev.verbena.conformance.arbitraries;

import dev.verbena.conformance.side.Connection;
import dev.verbena.verbs.SendOpcode;
import net.jqwik.api.Arbitrary;

/**
 * Arbitrary values for properties of verbs. A property names the supplier of a type, such as
 * {@code @ForAll(supplier = LinkFaults.Any.class)}, or combines these.
 */
public final class VerbsArbitraries {
    private VerbsArbitraries() {}

    /**
     * Samples work requests for a reliable connection: two-sided and one-sided ones and atomics, of some packets of 256 bytes.
     *
     * @return requests that shrink to short SENDs
     */
    public static Arbitrary<WorkRequest> workRequests() {
        return WorkRequest.among(SendOpcode.values());
    }

    /**
     * Samples the entries of a work request.
     *
     * @return lists that shrink to one entry of one byte
     */
    public static Arbitrary<ScatterList> scatterGatherLists() {
        return new ScatterList.Any().get();
    }

    /**
     * Samples the settings of a reliable connection: path MTU, packet numbers, also shortly before they wrap, retries,
     * RNR timer, READs at once. Retries are enough for a few faults, and RNR retries without end.
     *
     * @return settings that shrink to the smallest values
     */
    public static Arbitrary<Connection> qpAttributes() {
        return new Settings().get();
    }

    /**
     * Samples faults of a link: packets that are lost, doubled, late or damaged.
     *
     * @return faults that shrink to fewer, to early packets and to losses
     */
    public static Arbitrary<LinkFaults> faultPlans() {
        return new LinkFaults.Any().get();
    }

    /**
     * Samples programs of two connected endpoints.
     *
     * @return programs that shrink to fewer and simpler steps
     */
    public static Arbitrary<Program> programs() {
        return new Program.Any().get();
    }
}
