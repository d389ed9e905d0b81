// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.VerbsProvider;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FaultyCallTest {
    /** A method that a later change adds to an interface gets its constant, too. */
    @Test
    void eachMethodThatCanFailHasOneConstantAndEachConstantAMethod() throws NoSuchMethodException {
        Method open = VerbsProvider.class.getMethod("open", String.class);
        List<String> methods = Stream.concat(
                        FaultyObjects.KINDS.stream()
                                .flatMap(kind -> Arrays.stream(kind.getMethods()))
                                .filter(FaultyCalls::mayFail),
                        Stream.of(open))
                .map(FaultyCalls::nameOf)
                .distinct()
                .toList();

        assertThat(FaultyCall.values()).extracting(FaultyCall::toString).containsExactlyInAnyOrderElementsOf(methods);
    }

    @Test
    void aConstantIsNamedByInterfaceAndMethod() {
        for (FaultyCall call : FaultyCall.values()) {
            String spelled = call.toString().replace('.', '_').replaceAll("([a-z0-9])([A-Z])", "$1_$2");
            assertThat(call.name()).isEqualToIgnoringCase(spelled);
        }
    }
}
