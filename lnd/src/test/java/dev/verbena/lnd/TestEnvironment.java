// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.verbs.CapabilityException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProviders;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Where the driver's suite runs: in virtual time and through sockets, or, with {@code
 * -Dverbena.lnd.ground=PROVIDER,ADDRESS,ADDRESS}, over the devices of any provider, which have these addresses.
 */
enum TestEnvironment {
    VIRTUAL_TIME(1) {
        @Override
        Rig open() throws VerbsException {
            return new Lab(1);
        }
    },

    /** The devices retransmit packets that the network loses, up to their retry count. */
    SOCKETS(5) {
        @Override
        Rig open() throws Exception {
            return ThreadRig.overUdp();
        }
    },

    PROVIDER(3) {
        @Override
        Rig open() throws VerbsException, UnknownHostException {
            String[] words = CHOSEN.split(",");
            List<InetAddress> addresses = List.of(InetAddress.getByName(words[1]), InetAddress.getByName(words[2]));
            return new Rig(VerbsProviders.named(words[0])) {
                @Override
                InetAddress addressOf(int host) {
                    return addresses.get(host - 1);
                }
            };
        }
    };

    private static final String CHOSEN = System.getProperty("verbena.lnd.ground", "");

    private final int tries;

    TestEnvironment(int tries) {
        this.tries = tries;
    }

    static Stream<TestEnvironment> all() {
        return CHOSEN.isEmpty() ? Stream.of(VIRTUAL_TIME, SOCKETS) : Stream.of(PROVIDER);
    }

    @FunctionalInterface
    interface Scenario {
        void run(Rig rig) throws Exception;
    }

    abstract Rig open() throws Exception;

    /**
     * Runs a scenario over a new rig. Under wall time a device ends a connection if its other end gets no processor for
     * long. So a failed scenario is repeated there, and counts only if it fails every time. A scenario that needs a
     * capability that the device lacks is skipped.
     */
    void run(Scenario scenario) throws Exception {
        for (int attempt = 1; ; attempt++) {
            try (Rig rig = open()) {
                scenario.run(rig);
                return;
            } catch (CapabilityException e) {
                Assumptions.abort("not run: " + e.getMessage());
            } catch (AssertionError e) {
                if (attempt >= tries) {
                    throw e;
                }
                System.out.println("again, after try " + attempt + " of " + tries + ": " + e.getMessage());
            }
        }
    }
}
