// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.states;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpAttributesBuilder;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code ibv_modify_qp} of every type from every state to every state, compared with {@link TransitionTable}. */
class TransitionsTest extends OneDevice {

    static Stream<Arguments> transitions() {
        List<Arguments> all = new ArrayList<>();
        for (QpType type : QpType.values()) {
            for (QpState from : QpState.values()) {
                // A reliable connection is never in SQE.
                if (type != QpType.RC || from != QpState.SQE) {
                    for (QpState to : QpState.values()) {
                        all.add(Arguments.of(type, from, to));
                    }
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest(name = "{0} from {1} to {2}")
    @MethodSource("transitions")
    void aTransitionNeedsAllThatIsRequiredAndTakesNothingButWhatIsAllowed(QpType type, QpState from, QpState to)
            throws VerbsException {
        TransitionTable.Row row = TransitionTable.find(type, from, to);
        for (boolean named : from == to ? List.of(true, false) : List.of(true)) {
            Asking asking = new Asking(type, from, to, named);
            if (row == null) {
                asking.isNever();
            } else {
                asking.matchesTheTableOfTransitions(row);
            }
        }
    }

    /** Modifies with or without STATE; without it the transition is to the present state. */
    private final class Asking {
        private final QpType type;
        private final QpState from;
        private final QpState to;
        private final boolean named;

        Asking(QpType type, QpState from, QpState to, boolean named) {
            this.type = type;
            this.from = from;
            this.to = to;
            this.named = named;
        }

        void isNever() throws VerbsException {
            try (Subject subject = new Subject(node, peer, type).to(from)) {
                assertRefused(subject, Set.of(), "not an allowed transition");
                for (QpAttribute attribute : allBut(Set.of())) {
                    assertRefused(subject, Set.of(attribute), "not an allowed transition");
                }
            }
        }

        void matchesTheTableOfTransitions(TransitionTable.Row row) throws VerbsException {
            Set<QpAttribute> allowed = with(row.optional());
            // The table is InfiniBand's; an Ethernet port has no alternate path.
            allowed.remove(QpAttribute.ALT_PATH);
            try (Subject subject = new Subject(node, peer, type).to(from)) {
                for (QpAttribute required : row.required()) {
                    Set<QpAttribute> rest = with(row.required());
                    rest.remove(required);
                    assertRefused(subject, rest, required.name());
                }
                Set<QpAttribute> taken = with(row.required());
                taken.addAll(allowed);
                for (QpAttribute other : allBut(taken)) {
                    assertRefused(subject, with(row.required(), other), other.name());
                }
            }
            assertWorks(row.required());
            for (QpAttribute optional : allowed) {
                assertWorks(with(row.required(), optional));
            }
            allowed.addAll(row.required());
            assertWorks(allowed);
        }

        private QpAttributes attributes(Set<QpAttribute> chosen) {
            QpAttributesBuilder builder = QpAttributes.builder();
            if (named) {
                builder.state(to);
            }
            chosen.forEach(attribute -> Subject.put(builder, attribute, from));
            return builder.build();
        }

        private void assertRefused(Subject subject, Set<QpAttribute> chosen, String reason) throws VerbsException {
            QpAttributes before = subject.endpoint().qp().query();
            QpAttributes attributes = attributes(chosen);
            VerbsException refusal = catchThrowableOfType(
                    VerbsException.class, () -> subject.endpoint().qp().modify(attributes));
            assertThat(refusal).as("%s in %s", attributes, from).isNotNull();
            assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
            assertThat(refusal).hasMessageContaining(reason);
            assertThat(subject.endpoint().state()).isEqualTo(from);
            assertThat(subject.endpoint().qp().query()).as("all or nothing").isEqualTo(before);
        }

        private void assertWorks(Set<QpAttribute> chosen) throws VerbsException {
            try (Subject subject = new Subject(node, peer, type).to(from)) {
                QpAttributesBuilder expected = to == QpState.RESET
                        ? QpAttributes.builder()
                                .capabilities(subject.endpoint().qp().capabilities())
                        : subject.endpoint().qp().query().toBuilder();
                chosen.forEach(attribute -> Subject.put(expected, attribute, from));
                expected.state(to).currentState(to);
                subject.endpoint().qp().modify(attributes(chosen));
                lab.settle();
                assertThat(subject.endpoint().state()).isEqualTo(to);
                assertThat(subject.endpoint().qp().query())
                        .as("after %s", attributes(chosen))
                        .isEqualTo(expected.build());
            }
        }
    }

    private static Set<QpAttribute> with(Set<QpAttribute> some, QpAttribute... more) {
        Set<QpAttribute> all = EnumSet.noneOf(QpAttribute.class);
        all.addAll(some);
        all.addAll(List.of(more));
        return all;
    }

    private static Set<QpAttribute> allBut(Set<QpAttribute> some) {
        Set<QpAttribute> rest = EnumSet.allOf(QpAttribute.class);
        rest.removeAll(some);
        rest.remove(QpAttribute.STATE);
        return rest;
    }
}
