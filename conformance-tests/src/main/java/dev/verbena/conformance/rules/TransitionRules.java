// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import static dev.verbena.conformance.rules.Checks.assertErrno;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.conformance.arbitraries.IntRange;
import dev.verbena.conformance.side.End;
import dev.verbena.conformance.side.Pair;
import dev.verbena.conformance.side.Qp;
import dev.verbena.conformance.side.Shape;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/** The rules of rule area STATE about the table of state transitions. */
public interface TransitionRules extends RuleSet {
    /**
     * Returns {@code wanted} if the devices support this queue pair type; otherwise returns another queue pair type
     * that the devices support.
     */
    private static QpType typeLike(Pair pair, QpType wanted) {
        return Stream.concat(Stream.of(wanted), Stream.of(QpType.values()))
                .filter(type -> States.has(pair, type))
                .findFirst()
                .orElseThrow(() -> new TestAbortedException("no type of queue pair"));
    }

    @Rule(
            id = "STATE-01",
            text = "A queue pair of each type changes from RESET to INIT, RTR and RTS with exactly the attributes that"
                    + " the table of state transitions requires.",
            source = "ibv_modify_qp(3); IBTA volume 1, table 91",
            needs = {Capability.MANUAL_CONNECT},
            lookAt = {"the table of the attributes that each state transition requires"})
    default void theStandardTransitionsLeadToRts(QpType wanted) {
        try (Pair pair = pair()) {
            QpType type = typeLike(pair, wanted);
            Shape shape = Shape.usual().withType(type);
            Pair.Ends ends = pair.unconnected(shape, shape);
            Qp qp = ends.requester().qp();
            for (QpState state : List.of(QpState.INIT, QpState.RTR, QpState.RTS)) {
                qp.modify(States.step(qp, ends.responder().qp(), state));
                qp.assertState(state);
            }
        }
    }

    @Rule(
            id = "STATE-02",
            text = "A state transition without one of its required attributes is refused with EINVAL, and the state"
                    + " does not change.",
            source = "ibv_modify_qp(3); IBTA volume 1, table 91",
            needs = {Capability.MANUAL_CONNECT},
            lookAt = {"the attributes that each transition requires", "whether a refused modify changes nothing"})
    default void aTransitionNeedsItsAttributes(QpType wanted, @IntRange(max = 2) int at, QpAttribute without) {
        try (Pair pair = pair()) {
            QpType type = typeLike(pair, wanted);
            QpState from = List.of(QpState.RESET, QpState.INIT, QpState.RTR).get(at);
            QpState to = List.of(QpState.INIT, QpState.RTR, QpState.RTS).get(at);
            Shape shape = Shape.usual().withType(type);
            Pair.Ends ends = pair.unconnected(shape, shape);
            Qp qp = ends.requester().qp();
            States.bring(qp, ends.responder().qp(), from);
            QpAttributes all = States.step(qp, ends.responder().qp(), to);
            Set<QpAttribute> demanded = EnumSet.copyOf(all.present());
            demanded.remove(QpAttribute.STATE);
            assumeTrue(!demanded.isEmpty());
            QpAttribute missing =
                    demanded.contains(without) ? without : demanded.iterator().next();
            assertErrno(Errno.EINVAL, () -> qp.modify(States.without(all, missing)));
            qp.assertState(from);
            qp.modify(all);
            qp.assertState(to);
        }
    }

    @Rule(
            id = "STATE-03",
            text = "A state transition with an attribute that is neither required nor optional for this transition is"
                    + " refused with EINVAL, and the state does not change.",
            source = "ibv_modify_qp(3); IBTA volume 1, table 91",
            needs = {Capability.MANUAL_CONNECT},
            lookAt = {
                "the table of required and optional attributes for each state transition",
                "the refusal of attributes that are not in this table"
            })
    default void aTransitionRefusesOtherAttributes(QpType wanted) {
        try (Pair pair = pair()) {
            QpType type = typeLike(pair, wanted);
            Qp qp = States.in(pair, type, QpState.RESET).requester().qp();
            QpAttributes init = States.step(qp, qp, QpState.INIT);
            QpAttributes foreign = type == QpType.UD
                    ? init.toBuilder().access(AccessFlag.REMOTE_WRITE).build()
                    : init.toBuilder().qkey(1).build();
            assertErrno(Errno.EINVAL, () -> qp.modify(foreign));
            qp.assertState(QpState.RESET);
        }
    }

    @Rule(
            id = "STATE-04",
            text = "A transition that is not in the table of state transitions is refused with EINVAL, and the state"
                    + " does not change.",
            source = "ibv_modify_qp(3); IBTA volume 1, section 10.3.1",
            needs = {Capability.MANUAL_CONNECT},
            lookAt = {"the table of state transitions"},
            tries = 147)
    default void transitionsOutsideTheTableAreRefused(QpType wanted, QpState from, QpState to) {
        try (Pair pair = pair()) {
            assumeTrue(!exists(from, to));
            Pair.Ends ends = States.in(pair, typeLike(pair, wanted), from);
            Qp qp = ends.requester().qp();
            QpAttributes attributes = States.step(qp, ends.responder().qp(), to);
            assertErrno(Errno.EINVAL, () -> qp.modify(attributes));
            qp.assertState(from);
        }
    }

    private static boolean exists(QpState from, QpState to) {
        return switch (to) {
            case RESET -> true;
            case INIT -> from == QpState.RESET || from == QpState.INIT;
            case RTR -> from == QpState.INIT;
            case RTS -> from == QpState.RTR || from == QpState.RTS || from == QpState.SQD || from == QpState.SQE;
            case SQD -> from == QpState.RTS || from == QpState.SQD;
            case ERR -> from != QpState.RESET;
            case SQE -> false;
        };
    }

    @Rule(
            id = "STATE-05",
            text = "A queue pair can be modified from every state to RESET.",
            source = "ibv_modify_qp(3); IBTA volume 1, section 10.3.1",
            needs = {Capability.MANUAL_CONNECT, Capability.RC},
            lookAt = {"the transition to RESET from each state, including SQD while the send queue drains"})
    default void resetCanBeReachedFromEveryState(QpState from) {
        try (Pair pair = pair()) {
            Qp qp = States.in(pair, QpType.RC, from).requester().qp();
            qp.modify(QpAttributes.reset());
            qp.assertState(QpState.RESET);
        }
    }

    @Rule(
            id = "STATE-06",
            text = "A queue pair can be modified to ERR from every state except RESET. From RESET, the transition to"
                    + " ERR is refused with EINVAL.",
            source = "ibv_modify_qp(3); IBTA volume 1, section 10.3.1",
            needs = {Capability.MANUAL_CONNECT, Capability.RC},
            lookAt = {"the transition to ERR from each queue pair state"})
    default void errCanBeReachedFromEveryStateButReset(QpState from) {
        try (Pair pair = pair()) {
            Qp qp = States.in(pair, QpType.RC, from).requester().qp();
            if (from == QpState.RESET) {
                assertErrno(Errno.EINVAL, () -> qp.modify(QpAttributes.error()));
                qp.assertState(QpState.RESET);
            } else {
                qp.modify(QpAttributes.error());
                qp.assertState(QpState.ERR);
            }
        }
    }

    @Rule(
            id = "STATE-07",
            text = "A queue pair attribute outside of the range that the device supports is refused with EINVAL, and"
                    + " the state does not change.",
            source = "ibv_modify_qp(3)",
            needs = {Capability.MANUAL_CONNECT, Capability.RC},
            lookAt = {"the bounds checks of the port number and of the P_Key index"})
    default void attributesOutOfRangeAreRefused() {
        try (Pair pair = pair()) {
            End end = End.open(pair.first(), Shape.usual());
            Qp qp = end.qp();
            QpAttributes init = States.step(qp, qp, QpState.INIT);
            int ports = pair.first().facts().attributes().physicalPortCount();
            int pkeys = pair.first().facts().port().pkeyTableLength();
            assertErrno(
                    Errno.EINVAL,
                    () -> qp.modify(init.toBuilder().port(ports + 1).build()));
            assertErrno(
                    Errno.EINVAL,
                    () -> qp.modify(init.toBuilder().pkeyIndex(pkeys).build()));
            qp.assertState(QpState.RESET);
        }
    }
}
