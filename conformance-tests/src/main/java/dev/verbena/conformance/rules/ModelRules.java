// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import dev.verbena.conformance.arbitraries.From;
import dev.verbena.conformance.arbitraries.LinkFaults;
import dev.verbena.conformance.arbitraries.Program;
import dev.verbena.conformance.arbitraries.Settings;
import dev.verbena.conformance.side.Connection;
import dev.verbena.conformance.side.Pair;
import dev.verbena.verbs.Capability;

/** The rules of rule area MODEL: random sequences of operations, compared with a model of two connected queue pairs. */
public interface ModelRules extends RuleSet {
    @Rule(
            id = "MODEL-01",
            text = "For every sequence of operations of two connected endpoints, the completions and the bytes in"
                    + " memory are those that a model of the endpoints predicts.",
            source = "IBTA volume 1, sections 9.5, 10.3.1 and 10.8; ibv_post_send(3); ibv_post_recv(3);"
                    + " ibv_modify_qp(3)",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.RDMA_READ},
            lookAt = {
                "the last step of the random program",
                "the requests that had not completed before the last step",
                "the rules of the area in which the difference occurs"
            })
    default void anySequenceOfOperationsMatchesTheModel(
            @From(Settings.class) Connection connection, @From(Program.Any.class) Program program) {
        try (Pair pair = pair()) {
            new PairModel(pair, connection, false).run(program);
        }
    }

    @Rule(
            id = "MODEL-02",
            text = "If the link loses, duplicates, delays or corrupts packets, the completions and the bytes in memory"
                    + " are still those that a model of the endpoints predicts.",
            source = "IBTA volume 1, sections 9.7.5, 9.7.6 and 9.5",
            needs = {Capability.RC, Capability.MANUAL_CONNECT, Capability.RDMA_READ},
            rig = {Needs.FAULTS},
            lookAt = {
                "the result of the same program on a link without faults",
                "the request whose packet the link lost, duplicated, delayed or corrupted",
                "the other requests that the requester retransmitted"
            })
    default void anySequenceOfOperationsOnAFaultyLinkMatchesTheModel(
            @From(LinkFaults.Any.class) LinkFaults faults,
            @From(Settings.class) Connection connection,
            @From(Program.Any.class) Program program) {
        try (Pair pair = pair()) {
            PairModel model = new PairModel(pair, connection, true);
            pair.fault(faults.plan());
            model.run(program);
        }
    }
}
