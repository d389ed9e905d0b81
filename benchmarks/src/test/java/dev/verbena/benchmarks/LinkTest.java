// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LinkTest {
    /** A device closes only when nothing of it is open. */
    @ParameterizedTest
    @EnumSource(
            value = QpType.class,
            names = {"RC", "UC", "UD"})
    void closingLeavesNothingOpen(QpType type) throws VerbsException {
        Link link = new Link(type, 4096);
        link.another(4);
        link.right().addressFrom(link.left());
        link.close();
        for (Link.End end : List.of(link.left(), link.right())) {
            assertThatThrownBy(end.device::allocatePd).hasMessageContaining("closed");
        }
    }
}
