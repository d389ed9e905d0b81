package dev.verbena.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.FabricPort;
import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.runtime.VirtualRuntime;
import dev.verbena.verbs.Capability;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Opcode;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The kit against providers that break a rule, and one that cannot do what the rules need. */
class BrokenProvidersTest {
    @TempDir
    Path directory;

    private final Map<String, String> skipped = new TreeMap<>();

    private Map<String, TestExecutionResult> run(Class<? extends VerbsConformance> suite) {
        Map<String, TestExecutionResult> results = new TreeMap<>();
        TestExecutionListener listener = new TestExecutionListener() {
            @Override
            public void executionSkipped(TestIdentifier test, String reason) {
                skipped.put(test.getDisplayName(), reason);
            }

            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest()) {
                    results.put(test.getDisplayName(), result);
                }
            }
        };
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(suite))
                                .configurationParameter("jqwik.tries.default", "20")
                                // To the listener, so that failures that are meant do not fill the log.
                                .configurationParameter("jqwik.reporting.usejunitplatform", "true")
                                .configurationParameter(
                                        "jqwik.database",
                                        directory.resolve("database").toString())
                                .build(),
                        listener);
        assertThat(results.size() + skipped.size())
                .isEqualTo(RuleCatalogue.of(suite).size());
        return results;
    }

    private static String messageOf(TestExecutionResult result) {
        return result.getThrowable().orElseThrow().getMessage();
    }

    @Test
    void aSilentlyAlteredByteIsCaughtByTheRuleThatNamesIt() {
        Map<String, TestExecutionResult> results = run(AltersLastPackets.class);
        assertThat(messageOf(results.get("aSendOfAnySizeArrivesUnaltered")))
                .startsWith("rule MTU-01 is broken: A SEND of any size arrives unaltered")
                .contains("what happened: memory of sim1", "with:          [MessageShape[pathMtu=MTU_256, fullPackets=")
                .containsPattern("seed: +-?\\d+")
                .contains("look at:       the choice of first, middle, last and only packets");
        assertThat(results.get("aWriteOfAnySizeArrivesUnaltered").getStatus())
                .isEqualTo(TestExecutionResult.Status.SUCCESSFUL);
    }

    @Test
    void aPostThatClaimsMoreThanItTookIsCaughtByTheRuleThatNamesIt() {
        Map<String, TestExecutionResult> results = run(ClaimsAllIsTaken.class);
        assertThat(messageOf(results.get("aFullSendQueueRefusesTheNextRequestAndKeepsTheOthers")))
                .startsWith("rule POST-01 is broken")
                .contains("requests taken");
        assertThat(messageOf(results.get("aBadRequestStopsThePostAtItsIndex"))).startsWith("rule POST-04 is broken");
        assertThat(results.get("aSendOfAnySizeArrivesUnaltered").getStatus())
                .isEqualTo(TestExecutionResult.Status.SUCCESSFUL);
    }

    @Test
    void whatADeviceCannotDoIsSkippedWithTheReason() {
        Map<String, TestExecutionResult> results = run(HasNoReliableConnections.class);
        assertThat(skipped.get("aSendOfAnySizeArrivesUnaltered"))
                .isEqualTo("MTU-01 needs reliable connected queue pairs (RC)");
        assertThat(results.get("anArenaIsKeptByTheRegionsOverIt").getStatus())
                .isEqualTo(TestExecutionResult.Status.SUCCESSFUL);
    }

    /** Flips a bit in the last packet of every SEND of several packets. */
    static class AltersLastPackets extends VerbsConformance {
        @Override
        public ProviderRig openRig() throws VerbsException {
            return new SimRig(
                    new VirtualRuntime(1),
                    fabric -> Intercept.calls(
                            Fabric.class,
                            fabric,
                            (method, arguments, result) -> result instanceof FabricPort port
                                    ? Optional.of(new AlteringPort(port))
                                    : Optional.empty()),
                    device -> device);
        }
    }

    /** A port that alters before it sends. */
    private record AlteringPort(FabricPort real) implements FabricPort {
        @Override
        public SimPacket newPacket() {
            return real.newPacket();
        }

        @Override
        public void send(SimPacket packet) {
            if (packet.opcode() == Opcode.RC_SEND_LAST) {
                long at = packet.payloadOffset();
                byte first = packet.segment().get(ValueLayout.JAVA_BYTE, at);
                packet.segment().set(ValueLayout.JAVA_BYTE, at, (byte) (first ^ 1));
            }
            real.send(packet);
        }

        @Override
        public void join(Gid group) throws VerbsException {
            real.join(group);
        }

        @Override
        public void leave(Gid group) {
            real.leave(group);
        }

        @Override
        public int mtu() {
            return real.mtu();
        }

        @Override
        public void close() {
            real.close();
        }
    }

    /** Says that every request was taken, like a driver that forgets to look at the result. */
    static class ClaimsAllIsTaken extends VerbsConformance {
        @Override
        public ProviderRig openRig() throws VerbsException {
            return withDevices(device -> Intercept.calls(
                    Device.class,
                    device,
                    (method, arguments, result) -> result instanceof ProtectionDomain domain
                            ? Optional.of(claiming(domain))
                            : Optional.empty()));
        }

        private static ProtectionDomain claiming(ProtectionDomain real) {
            return Intercept.calls(
                    ProtectionDomain.class,
                    real,
                    (method, arguments, result) -> result instanceof QueuePair queuePair
                            ? Optional.of(claiming(queuePair))
                            : Optional.empty());
        }

        private static QueuePair claiming(QueuePair real) {
            return Intercept.calls(
                    QueuePair.class,
                    real,
                    (method, arguments, result) -> method.equals("postSend")
                            ? Optional.of(arguments[arguments.length - 1])
                            : Optional.empty());
        }
    }

    /** Devices of another kind. */
    static class HasNoReliableConnections extends VerbsConformance {
        @Override
        public ProviderRig openRig() throws VerbsException {
            Set<Capability> others = EnumSet.complementOf(EnumSet.of(Capability.RC));
            return withDevices(device -> Intercept.calls(
                    Device.class,
                    device,
                    (method, arguments, result) ->
                            method.equals("capabilities") ? Optional.of(others) : Optional.empty()));
        }
    }

    private static ProviderRig withDevices(UnaryOperator<Device> change) throws VerbsException {
        return new SimRig(new VirtualRuntime(1), fabric -> fabric, change);
    }
}
