// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.unruly;

import dev.verbena.conformance.lifecycle.RandomLifecycles;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.GidSelector;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsProviders;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Makes random calls from three threads in rounds, and removes the device in the middle of two rounds of three. After
 * each round all objects are closed, and a new device takes the place of the removed one. The arguments are a number of
 * seconds and a seed. The exit code is 1 if a call failed without a proper exception or an object is left.
 */
final class LifecyclesProgram {
    private static final int THREADS = 3;
    private static final int MOST_CALLS = 500;
    private static final int KINDS_OF_ROUNDS = 3;

    private LifecyclesProgram() {}

    public static void main(String[] arguments) throws Exception {
        long end = System.nanoTime()
                + Duration.ofSeconds(Long.parseLong(arguments[0])).toNanos();
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[1]));
        VerbsProvider provider = VerbsProviders.named("ibverbs");
        UnrulyControl control = new UnrulyControl();
        long calls = 0;
        int rounds = 0;
        int removals = 0;
        boolean right = true;
        while (right && System.nanoTime() < end) {
            long seed = random.nextLong();
            long removal = rounds % KINDS_OF_ROUNDS == 0 ? -1 : random.nextInt(MOST_CALLS);
            RandomLifecycles run;
            try (Device device = provider.open(provider.devices().getFirst().name())) {
                run = RandomLifecycles.run(device, GidSelector.automatic().select(device, 1), THREADS, seed, made -> {
                    if (made == removal) {
                        control.remove();
                    }
                    return made < MOST_CALLS;
                });
            }
            Map<String, Integer> left = control.live();
            control.restore();
            right = run.wrong().isEmpty() && left.isEmpty();
            if (!right) {
                System.out.println("round " + rounds + ": " + run.wrong() + ", in existence are " + left);
            }
            calls += run.calls();
            rounds++;
            removals += removal < 0 ? 0 : 1;
        }
        System.out.println(rounds + " rounds, " + removals + " removals, " + calls + " calls, seed " + arguments[1]);
        System.exit(right ? 0 : 1);
    }
}
