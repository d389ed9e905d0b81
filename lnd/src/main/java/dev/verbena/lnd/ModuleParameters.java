// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.lnd.wire.Checksum;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The tunables of o2iblnd, named like the parameters of the kernel module {@code ko2iblnd}. A number has the syntax of
 * {@code kstrtoint} with base 0: {@code 16}, {@code 0x10}, {@code 020}. A value outside of its range is clamped as in
 * the kernel module. If the kernel module or the connection manager would refuse a parameter value later,
 * {@code ModuleParameters} refuses the value at once.
 *
 * <p>{@code ModuleParameters} also accepts module parameters that have no effect in Verbena. If a parameter is set but has
 * no effect, {@link #notes} returns the reason. Not thread-safe.
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
        CREDITS(256, 1, Integer.MAX_VALUE),
        PEER_CREDITS(8, Integer.MIN_VALUE, Integer.MAX_VALUE),
        PEER_CREDITS_HIW(0, Integer.MIN_VALUE, Integer.MAX_VALUE),
        CONCURRENT_SENDS(0, Integer.MIN_VALUE, Integer.MAX_VALUE),
        RETRY_COUNT(5, 0, 7),
        RNR_RETRY_COUNT(6, 0, 7),
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

    private static final String INTERFACE_NAME = "ipif_name";

    private static final String PATH_MTU = "ib_mtu";

    /** The valid path MTUs in bytes; 0 means the MTU of the resolved path. Source: {@code kiblnd_tunables_setup}. */
    private static final Set<Long> PATH_MTUS = Set.of(0L, 256L, 512L, 1024L, 2048L, 4096L);

    private static final Map<String, String> WITHOUT_EFFECT = Map.of(
            INTERFACE_NAME,
            "the interface is chosen by its address",
            PATH_MTU,
            "connections have the MTU of their path",
            "peer_timeout",
            "it is for routers, and routing is not implemented",
            "peer_buffer_credits",
            "it is for routers, and routing is not implemented",
            "pmr_pool_size",
            "there are no physical memory regions");

    /** The syntax of {@code kstrtoint}: an optional sign, and a number whose prefix determines the base. */
    private static final Pattern NUMBER = Pattern.compile("([+-]?)(0[xX]\\p{XDigit}+|0[0-7]*|[1-9][0-9]*)");

    /** The LND's timeout in seconds. LNet divides its transaction timeout of 150 s by three tries, and subtracts 1 s. */
    private static final long DERIVED_TIMEOUT = 49;

    private final Map<Parameter, Long> values = new EnumMap<>(Parameter.class);
    private final Set<String> ignored = new LinkedHashSet<>();

    /** Creates parameters that all have their default values. */
    public ModuleParameters() {}

    /**
     * A parameter with its current value and its valid range.
     *
     * @param name the name of a parameter of the kernel module
     * @param value the current value
     * @param least the smallest valid value
     * @param most the largest valid value
     */
    public record Value(String name, long value, long least, long most) {}

    /** {@return all parameters with their current values, always in the same order} */
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
     * @param name the name of a parameter of the kernel module
     * @param text a 32-bit integer; {@code N} or {@code Y} are also valid for a parameter with the values 0 and 1
     * @return this object
     * @throws IllegalArgumentException if no parameter has this name, or the value is not a number or is out of range
     */
    public ModuleParameters set(String name, String text) {
        @Nullable Parameter parameter = Parameter.named(name);
        if (parameter == null) {
            ignore(name, text);
            return this;
        }
        long value = number(parameter, text);
        if (value < parameter.least || value > parameter.most) {
            throw new IllegalArgumentException(
                    name + " " + text + " is not in " + parameter.least + ".." + parameter.most);
        }
        values.put(parameter, value);
        return this;
    }

    private void ignore(String name, String text) {
        if (!WITHOUT_EFFECT.containsKey(name)) {
            throw new IllegalArgumentException("unknown tunable '" + name + "'" + suggestion(name));
        }
        if (!name.equals(INTERFACE_NAME)) {
            long value = number(name, text);
            if (name.equals(PATH_MTU) && !PATH_MTUS.contains(value)) {
                throw new IllegalArgumentException(name + " " + text + " is not a path MTU; use 256, 512, 1024, 2048"
                        + " or 4096, or 0 for the MTU of the path");
            }
        }
        ignored.add(name);
    }

    /** {@return one sentence for each parameter that was set but has no effect, with the reason} */
    public List<String> notes() {
        return ignored.stream()
                .map(name -> "tunable " + name + " does nothing here: " + WITHOUT_EFFECT.get(name))
                .toList();
    }

    private static String suggestion(String name) {
        return Arrays.stream(Parameter.values())
                .map(Parameter::text)
                .filter(known -> known.contains(name) || name.contains(known))
                .findFirst()
                .map(known -> "; did you mean " + known + "?")
                .orElse("; use the name of a parameter of ko2iblnd, such as peer_credits");
    }

    private static long number(Parameter parameter, String text) {
        boolean flag = parameter.least == 0 && parameter.most == 1;
        if (flag && (text.equalsIgnoreCase("y") || text.equalsIgnoreCase("n"))) {
            return text.equalsIgnoreCase("y") ? 1 : 0;
        }
        return number(parameter.text(), text);
    }

    private static long number(String name, String text) {
        Matcher matcher = NUMBER.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    name + " '" + text + "' is not a whole number; write for example 16, 0x10 or 020");
        }
        BigInteger magnitude = magnitude(matcher.group(2));
        BigInteger value = matcher.group(1).equals("-") ? magnitude.negate() : magnitude;
        if (value.bitLength() > Integer.SIZE - 1) {
            throw new IllegalArgumentException(name + " " + text + " does not fit into 32 bits");
        }
        return value.longValue();
    }

    private static BigInteger magnitude(String digits) {
        if (digits.startsWith("0x") || digits.startsWith("0X")) {
            return new BigInteger(digits.substring(2), 16);
        }
        return new BigInteger(digits, digits.startsWith("0") ? 8 : 10);
    }

    /** {@return a new builder of LND tunables, set from these parameters; all other tunables have their defaults} */
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
                .peerCredits((int) Math.min(get(Parameter.PEER_CREDITS), get(Parameter.CREDITS)))
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
