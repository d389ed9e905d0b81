package dev.verbena.lnd;

import dev.verbena.lnd.wire.Checksum;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tunables by the names that they have as parameters of the kernel module {@code ko2iblnd}. A value out of range is refused here,
 * also where the kernel module would take it and clamp it when it starts.
 *
 * <p>Parameters of what is not built here are known by name and refused with the reason.
 */
public final class ModuleParameters {

    private static final int MAX_PORT = 65_535;
    private static final int MAX_COUNT = 255;
    private static final int MAX_POOL = 1 << 20;
    private static final int MAX_SECONDS = 86_400;

    private enum Parameter {
        SERVICE(987, 1, MAX_PORT),
        CKSUM(0, 0, 1),
        TIMEOUT(50, 0, MAX_SECONDS),
        NSCHEDS(0, 0, 64),
        NTX(512, 1, MAX_POOL),
        DEV_FAILOVER(0, 0, 2),
        CONNS_PER_PEER(1, 0, 127),
        PEER_CREDITS(8, 8, MAX_COUNT),
        PEER_CREDITS_HIW(0, 0, MAX_COUNT - 1),
        CONCURRENT_SENDS(0, 0, 2 * MAX_COUNT),
        RETRY_COUNT(5, 0, 7),
        RNR_RETRY_COUNT(6, 0, 6),
        KEEPALIVE(100, 0, MAX_SECONDS),
        USE_FASTREG_GAPS(0, 0, 1),
        MAP_ON_DEMAND(1, 0, 256),
        FMR_POOL_SIZE(512, 1, MAX_POOL),
        FMR_FLUSH_TRIGGER(384, 1, MAX_POOL),
        FMR_CACHE(1, 0, 1),
        REQUIRE_PRIVILEGED_PORT(0, 0, 1),
        USE_PRIVILEGED_PORT(1, 0, 1),
        WRQ_SGE(2, 1, MAX_COUNT),
        TOS(-1, -1, 255);

        private final long usual;
        private final long least;
        private final long most;

        Parameter(long usual, long least, long most) {
            this.usual = usual;
            this.least = least;
            this.most = most;
        }

        private String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        private static @Nullable Parameter named(String name) {
            return Arrays.stream(values())
                    .filter(parameter -> parameter.text().equals(name))
                    .findFirst()
                    .orElse(null);
        }
    }

    private static final Map<String, String> ABSENT = Map.of(
            "ipif_name", "the interface is chosen by its address",
            "peer_timeout", "it is for routers, and routing is not built",
            "peer_buffer_credits", "it is for routers, and routing is not built",
            "pmr_pool_size", "there are no physical memory regions");

    /** Seconds of the LND's time-out when it is left to LNet: 150 for a transaction of three tries. */
    private static final long DERIVED_TIMEOUT = 49;

    private final Map<Parameter, Long> values = new EnumMap<>(Parameter.class);

    /** Creates parameters that all have their defaults. */
    public ModuleParameters() {}

    /**
     * One parameter.
     *
     * @param name its name
     * @param value its value
     * @param least the least that it may be
     * @param most the most that it may be
     */
    public record Value(String name, long value, long least, long most) {}

    /**
     * All parameters as they are now.
     *
     * @return in a fixed order
     */
    public List<Value> all() {
        return Arrays.stream(Parameter.values())
                .map(parameter -> new Value(parameter.text(), get(parameter), parameter.least, parameter.most))
                .toList();
    }

    private long get(Parameter parameter) {
        return values.getOrDefault(parameter, parameter.usual);
    }

    private boolean isSet(Parameter parameter) {
        return get(parameter) != 0;
    }

    /**
     * Sets a parameter.
     *
     * @param name its name
     * @param text its value, a whole number; {@code Y} and {@code N} stand for 1 and 0 where these are all
     * @return this
     * @throws IllegalArgumentException if there is no such parameter, or the value is no number or out of range
     */
    public ModuleParameters set(String name, String text) {
        @Nullable Parameter parameter = Parameter.named(name);
        if (parameter == null) {
            @Nullable String reason = ABSENT.get(name);
            throw new IllegalArgumentException(
                    reason == null
                            ? "unknown tunable '" + name + "'" + suggestion(name)
                            : "tunable " + name + " does nothing here: " + reason);
        }
        long value = number(parameter, text);
        if (value < parameter.least || value > parameter.most) {
            throw new IllegalArgumentException(
                    name + " " + text + " is not in " + parameter.least + ".." + parameter.most);
        }
        values.put(parameter, value);
        return this;
    }

    private static String suggestion(String name) {
        return Arrays.stream(Parameter.values())
                .map(Parameter::text)
                .filter(known -> known.contains(name) || name.contains(known))
                .findFirst()
                .map(known -> "; did you mean " + known + "?")
                .orElse("; those of ko2iblnd are known, such as peer_credits");
    }

    private static long number(Parameter parameter, String text) {
        boolean flag = parameter.least == 0 && parameter.most == 1;
        if (flag && (text.equalsIgnoreCase("y") || text.equalsIgnoreCase("n"))) {
            return text.equalsIgnoreCase("y") ? 1 : 0;
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(parameter.text() + " '" + text + "' is no whole number", e);
        }
    }

    /**
     * What the driver makes of them.
     *
     * @return tunables with defaults where nothing was set
     */
    public O2ibTunables.Builder tunables() {
        long timeout = get(Parameter.TIMEOUT);
        return O2ibTunables.builder()
                .service((int) get(Parameter.SERVICE))
                .checksum(isSet(Parameter.CKSUM) ? Checksum.UNSIGNED_CHAR : null)
                .timeout(Duration.ofSeconds(timeout == 0 ? DERIVED_TIMEOUT : timeout))
                .partitions(1, (int) Math.max(1, get(Parameter.NSCHEDS)))
                .failover(isSet(Parameter.DEV_FAILOVER))
                .ntx((int) get(Parameter.NTX))
                .connsPerPeer((int) Math.max(1, get(Parameter.CONNS_PER_PEER)))
                .peerCredits((int) get(Parameter.PEER_CREDITS))
                .peerCreditsHiw((int) get(Parameter.PEER_CREDITS_HIW))
                .concurrentSends((int) get(Parameter.CONCURRENT_SENDS))
                .retries((int) get(Parameter.RETRY_COUNT), (int) get(Parameter.RNR_RETRY_COUNT))
                .keepalive(Duration.ofSeconds(get(Parameter.KEEPALIVE)))
                .privilegedPorts(isSet(Parameter.USE_PRIVILEGED_PORT), isSet(Parameter.REQUIRE_PRIVILEGED_PORT))
                .wrqSge((int) get(Parameter.WRQ_SGE))
                .tos((int) get(Parameter.TOS))
                .registration(RegistrationTunables.defaults()
                        .withMapOnDemand((int) get(Parameter.MAP_ON_DEMAND))
                        .withPools((int) get(Parameter.FMR_POOL_SIZE), (int) get(Parameter.FMR_FLUSH_TRIGGER))
                        .withFmrCache(isSet(Parameter.FMR_CACHE))
                        .withFastregGaps(isSet(Parameter.USE_FASTREG_GAPS)));
    }
}
