// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.unruly;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.conformance.Divergences;
import dev.verbena.conformance.RuleRunner;
import dev.verbena.conformance.report.RuleResult;
import dev.verbena.conformance.report.RuleResult.Outcome;
import dev.verbena.conformance.rules.RuleCatalogue;
import dev.verbena.conformance.side.PortChoice;
import dev.verbena.conformance.side.Side;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsProviders;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Runs the kit over the first device of the provider {@code ibverbs}. The arguments are a file of known divergences, a
 * seed, a number of executions of each rule, a waiting time in milliseconds, an IP address, and optionally the rules to
 * execute. A completion or event that does not arrive in the waiting time is missing. If the IP address is empty, the kit
 * uses the address in the GID of the port. The exit code is 1 if a rule is broken.
 */
final class KitProgram extends UnrulySuite {
    private static final Duration QUIET = Duration.ofMillis(5);
    private static final int ADDRESS = 4;
    private static final int RULES = 5;

    private final Divergences known;
    private final long seed;
    private final int most;
    private final PortChoice port;

    private KitProgram(Device device, Optional<ConnectionManager> connections, String... arguments) throws IOException {
        super(device, connections, new Side.Waiting(Duration.ofMillis(Long.parseLong(arguments[3])), QUIET));
        known = Divergences.read(Path.of(arguments[0]));
        seed = Long.parseLong(arguments[1]);
        most = Integer.parseInt(arguments[2]);
        PortChoice usual = PortChoice.usual();
        port = arguments[ADDRESS].isEmpty()
                ? usual
                : new PortChoice(usual.port(), usual.gid(), Optional.of(InetAddress.ofLiteral(arguments[ADDRESS])));
    }

    public static void main(String[] arguments) throws VerbsException, IOException {
        VerbsProvider provider = VerbsProviders.named("ibverbs");
        int broken = 0;
        int kept = 0;
        try (Device device = provider.open(provider.devices().getFirst().name())) {
            KitProgram suite = new KitProgram(device, provider.extension(ConnectionManager.class), arguments);
            RuleRunner runner = new RuleRunner(suite);
            List<RuleCatalogue.Entry> all = RuleCatalogue.of(KitProgram.class);
            for (RuleCatalogue.Entry rule :
                    arguments.length > RULES ? RuleCatalogue.select(all, arguments[RULES]) : all) {
                RuleResult result = runner.run(rule);
                kept += result.outcome() == Outcome.PASSED ? 1 : 0;
                broken += result.outcome() == Outcome.FAILED ? 1 : 0;
                System.out.println(rule.id() + " " + result.outcome() + " " + result.message() + " "
                        + result.sample().orElse(""));
            }
            suite.closeLeftOver();
        }
        System.out.println(kept + " rules kept, " + broken + " broken");
        System.exit(broken > 0 ? 1 : 0);
    }

    @Override
    PortChoice port() {
        return port;
    }

    @Override
    protected Divergences divergences() {
        return known;
    }

    @Override
    protected OptionalLong seed() {
        return OptionalLong.of(seed);
    }

    @Override
    protected int tries() {
        return most;
    }
}
