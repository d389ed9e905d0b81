package dev.verbena.conformance;

import dev.verbena.verbs.QpConnector;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.VerbsException;
import java.util.function.Consumer;

/**
 * A rig and two endpoints on it, one on each device, connected or not.
 *
 * @param rig where they are
 * @param requester the end on the first device
 * @param responder the end on the second device
 */
public record Pair(ProviderRig rig, Endpoint requester, Endpoint responder) implements AutoCloseable {
    /**
     * Opens two ends of the usual kind and connects them.
     *
     * @param rig where they are; it is closed with the pair
     * @return a new pair in RTS
     * @throws VerbsException if a device refuses something
     */
    public static Pair connected(ProviderRig rig) throws VerbsException {
        return connected(rig, EndpointOptions.usual());
    }

    /**
     * Opens two ends and connects them.
     *
     * @param rig where they are; it is closed with the pair
     * @param options what both are made of
     * @return a new pair in RTS
     * @throws VerbsException if a device refuses something
     */
    public static Pair connected(ProviderRig rig, EndpointOptions options) throws VerbsException {
        return connected(rig, options, connector -> connector.rnrRetryCount(RnrRetryCount.FOREVER));
    }

    /**
     * Opens two ends and connects them.
     *
     * @param rig where they are; it is closed with the pair
     * @param options what both are made of
     * @param settings what differs from the usual connection, for both sides
     * @return a new pair in RTS
     * @throws VerbsException if a device refuses something
     */
    public static Pair connected(ProviderRig rig, EndpointOptions options, Consumer<QpConnector.Builder> settings)
            throws VerbsException {
        Pair pair = unconnected(rig, options);
        try {
            pair.connect(settings);
            return pair;
        } catch (VerbsException | RuntimeException refused) {
            closeAfter(pair, refused);
            throw refused;
        }
    }

    /**
     * Opens two ends whose queue pairs are in RESET.
     *
     * @param rig where they are; it is closed with the pair
     * @param options what both are made of
     * @return a new pair
     * @throws VerbsException if a device refuses something
     */
    public static Pair unconnected(ProviderRig rig, EndpointOptions options) throws VerbsException {
        Endpoint requester = null;
        try {
            requester = Endpoint.open(rig, rig.first(), options);
            return new Pair(rig, requester, Endpoint.open(rig, rig.second(), options));
        } catch (VerbsException | RuntimeException refused) {
            if (requester != null) {
                closeAfter(requester, refused);
            }
            closeAfter(rig, refused);
            throw refused;
        }
    }

    /**
     * Connects the two ends.
     *
     * @param settings what differs from the usual connection, for both sides
     * @throws VerbsException if one side cannot be connected
     */
    public void connect(Consumer<QpConnector.Builder> settings) throws VerbsException {
        rig.connect(connector(requester, settings), connector(responder, settings));
    }

    private static QpConnector connector(Endpoint endpoint, Consumer<QpConnector.Builder> settings)
            throws VerbsException {
        QpConnector.Builder builder = QpConnector.builder(endpoint.queuePair());
        settings.accept(builder);
        return builder.build();
    }

    private static void closeAfter(AutoCloseable object, Exception reason) {
        try {
            object.close();
        } catch (Exception another) {
            reason.addSuppressed(another);
        }
    }

    @Override
    public void close() throws VerbsException {
        try (rig;
                responder;
                requester) {
            // All three are closed, requester first, whichever of them fails.
        }
    }
}
