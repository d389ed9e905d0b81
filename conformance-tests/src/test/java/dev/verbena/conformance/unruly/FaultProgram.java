// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.unruly;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.conformance.SuiteRun;
import dev.verbena.conformance.rules.RuleCatalogue;
import dev.verbena.conformance.side.Side;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsProviders;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Gives the device each {@link Fault} in turn, and runs the rule that must find it. The exit code is 1 if one does not. */
final class FaultProgram extends UnrulySuite {
    private static final Side.Waiting WAITING = new Side.Waiting(Duration.ofMillis(300), Duration.ofMillis(20));

    private FaultProgram(Device device, Optional<ConnectionManager> connections) {
        super(device, connections, WAITING);
    }

    public static void main(String[] arguments) throws VerbsException {
        VerbsProvider provider = VerbsProviders.named("ibverbs");
        UnrulyControl control = new UnrulyControl();
        int missed = 0;
        for (Fault fault : Fault.values()) {
            if (fault != Fault.NONE && !isFound(fault, provider, control)) {
                System.out.println(fault + " is not found by " + fault.rule());
                missed++;
            }
        }
        System.out.println(Fault.values().length - 1 + " faults, " + missed + " not found");
        System.exit(missed == 0 ? 0 : 1);
    }

    private static boolean isFound(Fault fault, VerbsProvider provider, UnrulyControl control) throws VerbsException {
        // The faults may leave objects that cannot be closed, such as the member of a group.
        Device device = provider.open("plain0");
        FaultProgram suite = new FaultProgram(device, provider.extension(ConnectionManager.class));
        control.fault(fault.ordinal());
        try {
            List<RuleCatalogue.Entry> rules = RuleCatalogue.select(RuleCatalogue.of(FaultProgram.class), fault.rule());
            return SuiteRun.of(suite, rules, false).failures().values().stream()
                    .flatMap(Optional::stream)
                    .anyMatch(AssertionError.class::isInstance);
        } finally {
            control.fault(Fault.NONE.ordinal());
        }
    }

    @Override
    protected int tries() {
        return 10;
    }
}
