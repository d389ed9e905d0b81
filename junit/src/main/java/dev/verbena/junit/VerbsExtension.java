// SPDX-License-Identifier: Apache-2.0
package dev.verbena.junit;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.fault.Probability;
import dev.verbena.sim.fabric.LinkProperties;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.Leak;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProviders;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/** The JUnit extension of {@link VerbsTest}. JUnit's store closes the {@link VerbsNetwork} of a failed test. */
public final class VerbsExtension implements ExecutionCondition, ParameterResolver, InvocationInterceptor {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(VerbsExtension.class);

    private static final String PROVIDER_PROPERTY = "verbena.provider";

    private static final List<Class<? extends Annotation>> SOFTWARE_ONLY =
            List.of(Link.class, Device.class, Fabric.class);

    /** Creates the extension; JUnit calls this. */
    public VerbsExtension() {}

    /** If the property {@code verbena.provider} is set, skips each test that requires the software device. */
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String provider = System.getProperty(PROVIDER_PROPERTY);
        if (provider != null && context.getTestMethod().isPresent()) {
            for (Class<? extends Annotation> type : SOFTWARE_ONLY) {
                if (find(context, type).isPresent()) {
                    return ConditionEvaluationResult.disabled("the annotation @" + type.getSimpleName()
                            + " needs the software device, and -D" + PROVIDER_PROPERTY + " selects " + provider);
                }
            }
        }
        return ConditionEvaluationResult.enabled("the test runs on any provider");
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == VerbsNetwork.class
                || type == Node.class
                || type == RcPair.class
                || type == SrqPair.class
                || type == UcPair.class
                || type == UdPair.class
                || type == ConnectionManager.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        VerbsNetwork network = network(context);
        Class<?> type = parameter.getParameter().getType();
        try {
            if (type == VerbsNetwork.class) {
                return network;
            }
            if (type == ConnectionManager.class) {
                return network.connectionManager();
            }
            return type == Node.class ? network.node(nodeName(parameter.getParameter())) : newPair(network, type);
        } catch (VerbsException | IllegalArgumentException | IllegalStateException e) {
            throw new ParameterResolutionException(
                    "the parameter " + parameter.getParameter() + " of " + context.getDisplayName() + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private static Object newPair(VerbsNetwork network, Class<?> type) throws VerbsException {
        List<Node> nodes = network.nodes();
        if (nodes.size() < 2) {
            throw new IllegalStateException("a pair needs two nodes, but there is only " + nodes);
        }
        Node client = nodes.get(0);
        Node server = nodes.get(1);
        if (type == SrqPair.class) {
            return network.connectSrq(client, server);
        }
        if (type == UcPair.class) {
            return network.connectUc(client, server);
        }
        return type == UdPair.class ? network.connectUd(client, server) : network.connectRc(client, server);
    }

    private static String nodeName(Parameter parameter) {
        NodeName annotation = parameter.getAnnotation(NodeName.class);
        if (annotation != null) {
            return annotation.value();
        }
        if (!parameter.isNamePresent()) {
            throw new IllegalArgumentException("the class file does not have the names of parameters; add"
                    + " @NodeName(\"...\") to the parameter, or compile the tests with -parameters");
        }
        return parameter.getName();
    }

    private static VerbsNetwork network(ExtensionContext context) {
        return context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(Closing.class, type -> new Closing(newNetwork(context)), Closing.class)
                .network();
    }

    /** Closes the {@link VerbsNetwork} after a test; a failed test may not have closed all its verbs objects. */
    private record Closing(VerbsNetwork network) implements AutoCloseable {
        @Override
        public void close() {
            try {
                network.close();
            } catch (VerbsException busy) {
                // If a failed test has not closed its verbs objects, `VerbsNetwork.close` fails with EBUSY.
            }
        }
    }

    private static VerbsNetwork newNetwork(ExtensionContext context) {
        Path capture = captureFile(context);
        VerbsNetworkBuilder builder = VerbsNetwork.builder().seed(seed(context)).capture(capture);
        find(context, Nodes.class).ifPresent(nodes -> builder.nodes(nodes.value()));
        find(context, Link.class)
                .ifPresent(link -> builder.loss(Probability.parse(link.loss()))
                        .duplicate(Probability.parse(link.duplicate()))
                        .reorder(Probability.parse(link.reorder()))
                        .corrupt(Probability.parse(link.corrupt()))
                        .links(new LinkProperties(
                                Duration.ofNanos(link.delayNanos()),
                                LinkProperties.DEFAULT.bytesPerSecond(),
                                link.mtu())));
        find(context, Device.class).ifPresent(device -> builder.profile(profile(device)));
        find(context, Fabric.class).ifPresent(fabric -> builder.fabric(fabric.value()));
        String provider = System.getProperty(PROVIDER_PROPERTY);
        try {
            if (provider != null) {
                builder.provider(VerbsProviders.named(provider));
            }
            Files.createDirectories(capture.getParent());
            return builder.build();
        } catch (IOException | VerbsException e) {
            throw new ParameterResolutionException(
                    "the network of " + context.getDisplayName() + ": " + e.getMessage(), e);
        }
    }

    private static DeviceProfile profile(Device device) {
        DeviceProfile profile = switch (device.profile()) {
            case SPECIFICATION -> DeviceProfile.specification();
            case SOFT_ROCE -> DeviceProfile.softRoce();
        };
        if (device.maxQps() == 0) {
            return profile;
        }
        return profile.toBuilder()
                .attributes(
                        profile.attributes().toBuilder().maxQp(device.maxQps()).build())
                .build();
    }

    private static long seed(ExtensionContext context) {
        long stated = find(context, VerbsTest.class).map(VerbsTest::seed).orElse(VerbsTest.FRESH);
        return Optional.ofNullable(Long.getLong("verbena.seed"))
                .orElseGet(() -> stated == VerbsTest.FRESH ? new SecureRandom().nextLong() : stated);
    }

    /** Finds an annotation of the test method. If the method lacks the annotation, searches the test class. */
    private static <A extends Annotation> Optional<A> find(ExtensionContext context, Class<A> type) {
        return context.getTestMethod()
                .map(method -> method.getAnnotation(type))
                .or(() -> context.getTestClass().map(testClass -> testClass.getAnnotation(type)));
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        VerbsNetwork network = network(context);
        try {
            invocation.proceed();
            network.joinActors();
        } catch (TestAbortedException skipped) {
            throw skipped;
        } catch (Throwable failure) {
            failure.addSuppressed(new NetworkState(network.report() + repetition(context, network)));
            throw failure;
        }
        List<Leak> leaks = network.leaks();
        if (leaks.isEmpty()) {
            network.close();
        }
        refuseLeaks(leaks);
        Files.deleteIfExists(captureFile(context));
    }

    /** Returns the command that runs the test again; for software devices, also the capture file and the seed. */
    private static String repetition(ExtensionContext context, VerbsNetwork network) {
        String again = "\nrun again: mvn test -Dtest='"
                + context.getRequiredTestClass().getName() + "#"
                + context.getRequiredTestMethod().getName() + "'";
        String provider = System.getProperty(PROVIDER_PROPERTY);
        if (provider != null) {
            return "\n" + again + " -D" + PROVIDER_PROPERTY + "=" + provider;
        }
        return "\n\nall packets: " + captureFile(context) + again + " -Dverbena.seed=" + network.seed()
                + ", or @VerbsTest(seed = " + network.seed() + "L)";
    }

    /** Returns the file for a test's captured packets, in the build folder or in a folder that a property specifies. */
    private static Path captureFile(ExtensionContext context) {
        String folder =
                System.getProperty("verbena.captures", Files.isDirectory(Path.of("build")) ? "build" : "target");
        String name = context.getRequiredTestClass().getName() + "."
                + context.getRequiredTestMethod().getName();
        return Path.of(folder, "verbena-captures", name + ".pcapng");
    }

    private static void refuseLeaks(List<Leak> leaks) {
        if (!leaks.isEmpty()) {
            AssertionError error = new AssertionError("the test has not closed " + Leak.summary(leaks) + ": " + leaks);
            leaks.forEach(leak -> leak.opened().ifPresent(error::addSuppressed));
            throw error;
        }
    }

    /** Appends the state of the {@link VerbsNetwork} to the failure of a test. */
    private static final class NetworkState extends Throwable {
        private static final long serialVersionUID = 1;

        NetworkState(String report) {
            super("the network at the failure: " + report, null, false, false);
        }
    }
}
