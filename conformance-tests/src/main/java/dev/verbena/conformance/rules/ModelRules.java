package dev.verbena.conformance.rules;

import dev.verbena.conformance.Needs;
import dev.verbena.conformance.Rule;
import dev.verbena.conformance.arbitraries.LinkFaults;
import dev.verbena.conformance.arbitraries.Program;
import dev.verbena.conformance.arbitraries.Settings;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.Pair;
import dev.verbena.verbs.Capability;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Area MODEL: everything at once, against a model of two endpoints. */
public interface ModelRules extends RuleSet {
    @Rule(
            id = "MODEL-01",
            text =
                    "Whatever two connected endpoints do to each other, in whatever order, completes as it must and leaves the"
                            + " bytes that it must.",
            source = "IBTA volume 1, 9.5, 10.3.1 and 10.8; ibv_post_send(3), ibv_post_recv(3), ibv_modify_qp(3)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.RDMA_READ},
            lookAt = {
                "the last step of the program, and what the steps before it left under way",
                "the rule of the area that the difference belongs to"
            })
    @Property
    default void whateverTwoEndpointsDoGoesByTheModel(
            @ForAll(supplier = Settings.class) Connection connection,
            @ForAll(supplier = Program.Any.class) Program program) {
        try (Pair pair = pair()) {
            new PairModel(pair, connection, false).run(program);
        }
    }

    @Rule(
            id = "MODEL-02",
            text = "The same holds whatever the link does to packets.",
            source = "IBTA volume 1, 9.7.5, 9.7.6 and 9.5",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.RDMA_READ},
            rig = {Needs.FAULTS},
            lookAt = {
                "whether the same program fails without the faults: it is no matter of repetition then",
                "the request that the faulty packet belongs to, and what was repeated with it"
            })
    @Property
    default void whateverTheLinkDoesItGoesByTheModel(
            @ForAll(supplier = LinkFaults.Any.class) LinkFaults faults,
            @ForAll(supplier = Settings.class) Connection connection,
            @ForAll(supplier = Program.Any.class) Program program) {
        try (Pair pair = pair()) {
            PairModel model = new PairModel(pair, connection, true);
            pair.fault(faults.plan());
            model.run(program);
        }
    }
}
