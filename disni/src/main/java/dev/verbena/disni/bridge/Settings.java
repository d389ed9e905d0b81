// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.Locale;

/**
 * The system properties that configure the DiSNI bridge. Each property can also be set by an environment variable with
 * the property's name in upper case and with underscores, such as {@code VERBENA_DISNI_PROVIDER}. If a system property
 * and its environment variable are set, the DiSNI bridge uses the system property.
 *
 * @param failuresDisconnect whether a DISCONNECTED event follows each event about a failed connection attempt
 * @param retryCount the retry count that the DiSNI bridge uses if the DiSNI program passes 0
 * @param rnrRetryCount the RNR retry count that the DiSNI bridge uses if the DiSNI program passes 0
 */
record Settings(String provider, boolean failuresDisconnect, int retryCount, int rnrRetryCount) {
    /** The maximum retry count, which is a field of three bits. */
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
            // The message of the VerbsException contains the invalid text, so the NumberFormatException is ignored.
        }
        throw new VerbsException(
                Errno.EINVAL, "RdmaProvider.provider", property + " is '" + text + "'; use 0 to " + MAX_RETRY_COUNT);
    }
}
