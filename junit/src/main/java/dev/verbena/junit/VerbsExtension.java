package dev.verbena.junit;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.fault.Probability;
import dev.verbena.sim.fabric.LinkProperties;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.verbs.Leak;
import dev.verbena.verbs.VerbsException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** The extension behind {@link VerbsTest}. Keeps the network of each test in JUnit's store. */
public final class VerbsExtension implements ParameterResolver, InvocationInterceptor {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(VerbsExtension.class);

    /** For JUnit. */
    public VerbsExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == VerbsNetwork.class
                || type == Node.class
                || type == RcPair.class
                || type == ConnectionManager.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        VerbsNetwork network = network(context);
        Class<?> type = parameter.getParameter().getType();
        try {
            if (type == Node.class) {
                return network.node(parameter.getParameter().getName());
            }
            if (type == RcPair.class) {
                return network.connectRc();
            }
            return type == ConnectionManager.class ? network.connectionManager() : network;
        } catch (VerbsException | IllegalArgumentException | IllegalStateException e) {
            throw new ParameterResolutionException(
                    "the parameter " + parameter.getParameter() + " of " + context.getDisplayName() + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private static VerbsNetwork network(ExtensionContext context) {
        return context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(VerbsNetwork.class, type -> newNetwork(context), VerbsNetwork.class);
    }

    private static VerbsNetwork newNetwork(ExtensionContext context) {
        VerbsNetwork.Builder builder = VerbsNetwork.builder().seed(seed(context));
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
        try {
            return builder.build();
        } catch (VerbsException e) {
            throw new ParameterResolutionException("the network of " + context.getDisplayName(), e);
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

    /** Finds an annotation of the test method, or else of its class. */
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
        } catch (Throwable failure) {
            failure.addSuppressed(new NetworkState(network.report()));
            try {
                network.close();
            } catch (VerbsException busy) {
                // The failed test did not reach the end that closes its objects.
            }
            throw failure;
        }
        refuseLeaks(network.leaks());
        network.close();
    }

    private static void refuseLeaks(List<Leak> leaks) {
        if (!leaks.isEmpty()) {
            AssertionError error = new AssertionError("the test has not closed " + Leak.summary(leaks) + ": " + leaks);
            leaks.forEach(leak -> leak.opened().ifPresent(error::addSuppressed));
            throw error;
        }
    }

    /** Shows the state of the network below the failure of a test. */
    private static final class NetworkState extends Throwable {
        private static final long serialVersionUID = 1;

        NetworkState(String report) {
            super("the network: " + report, null, false, false);
        }
    }
}
