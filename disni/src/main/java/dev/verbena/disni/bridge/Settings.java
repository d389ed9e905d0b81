// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.Locale;

/**
 * The system properties of the bridge. The environment variable of a property has its name in upper case with
 * underscores, such as {@code VERBENA_DISNI_PROVIDER}; the property takes precedence.
 *
 * @param failuresDisconnect whether a DISCONNECTED event follows each event of a failed connection attempt
 * @param retryCount the retry count that is used if the program passes 0
 * @param rnrRetryCount the RNR retry count that is used if the program passes 0
 */
record Settings(String provider, boolean failuresDisconnect, int retryCount, int rnrRetryCount) {
    /** The maximum of a retry count, a field of three bits. */
    private static final int MAX_RETRY_COUNT = 7;

    static Settings read() throws VerbsException {
        return new Settings(
                value("verbena.disni.provider", "sim"),
                Boolean.parseBoolean(value("verbena.disni.failuresDisconnect", "false")),
                count("verbena.disni.retryCount"),
                count("verbena.disni.rnrRetryCount"));
    }

    private static String value(String property, String usual) {
        String variable = System.getenv(property.replace('.', '_').toUpperCase(Locale.ROOT));
        return System.getProperty(property, variable != null ? variable : usual);
    }

    private static int count(String property) throws VerbsException {
        String text = value(property, "0");
        try {
            int count = Integer.parseInt(text);
            if (count >= 0 && count <= MAX_RETRY_COUNT) {
                return count;
            }
        } catch (NumberFormatException _) {
            // The exception below reports the value, which is not a number.
        }
        throw new VerbsException(
                Errno.EINVAL,
                "RdmaProvider.provider",
                property + " is '" + text + "', legal is 0 to " + MAX_RETRY_COUNT);
    }
}
