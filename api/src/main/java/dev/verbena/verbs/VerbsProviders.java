// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/**
 * Finds providers on the class path or module path.
 *
 * <p>Every call searches again; a provider may return one shared instance or a new one.
 *
 * @since 1.0
 */
public final class VerbsProviders {
    private static final System.Logger LOGGER = System.getLogger(VerbsProviders.class.getName());

    /** After this many failures the search stops, since an iterator that fails on every call would not end it. */
    private static final int MOST_BROKEN = 100;

    private VerbsProviders() {}

    /**
     * Lists the installed providers, available or not, in the order of the path.
     *
     * @return the providers; one that cannot be loaded or constructed is left out, and a warning logged
     */
    public static List<VerbsProvider> installed() {
        List<VerbsProvider> found = new ArrayList<>();
        Iterator<VerbsProvider> candidates =
                ServiceLoader.load(VerbsProvider.class).iterator();
        for (int broken = 0; broken < MOST_BROKEN; ) {
            try {
                if (!candidates.hasNext()) {
                    break;
                }
                found.add(candidates.next());
            } catch (ServiceConfigurationError failure) {
                broken++;
                LOGGER.log(System.Logger.Level.WARNING, "a verbs provider cannot be used and is left out", failure);
            }
        }
        return List.copyOf(found);
    }

    /**
     * Returns the installed provider with a name.
     *
     * @param name a provider's name, such as {@code sim}
     * @return the provider, which may be unavailable
     * @throws VerbsException {@code ENOENT} if none has that name; the message lists those there are
     */
    public static VerbsProvider named(String name) throws VerbsException {
        List<VerbsProvider> all = installed();
        for (VerbsProvider provider : all) {
            if (provider.name().equals(name)) {
                return provider;
            }
        }
        String known = all.stream().map(VerbsProvider::name).collect(Collectors.joining(", "));
        throw new VerbsException(
                Errno.ENOENT,
                "VerbsProviders.named",
                "no provider is called '" + name + "'; installed are: " + (known.isEmpty() ? "none" : known)
                        + "; add the provider's artifact to the class path or module path");
    }
}
