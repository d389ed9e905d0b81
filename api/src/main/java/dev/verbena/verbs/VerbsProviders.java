// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/**
 * Finds the providers on the class path or module path.
 *
 * <p>Every call of a method of this class searches the class path and the module path for providers again. Two calls may
 * return the same provider objects or different provider objects.
 *
 * @since 1.0
 */
public final class VerbsProviders {
    private static final System.Logger LOGGER = System.getLogger(VerbsProviders.class.getName());

    /**
     * The search for providers stops after this number of providers has failed to load. Without this limit, the search
     * would never stop if the {@code ServiceLoader} failed at every call.
     */
    private static final int MOST_BROKEN = 100;

    private VerbsProviders() {}

    /**
     * {@return the installed providers, available or not, in the order of the class path or module path. If a provider
     * cannot be loaded or constructed, the method logs a warning and omits the provider}
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
                LOGGER.log(System.Logger.Level.WARNING, "a verbs provider cannot be loaded and is ignored", failure);
            }
        }
        return List.copyOf(found);
    }

    /**
     * Returns the installed provider with a given name.
     *
     * @param name a provider's name, such as {@code sim}
     * @return the provider, which may be unavailable
     * @throws VerbsException {@code ENOENT} if no provider has the name; the message lists the installed providers
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
