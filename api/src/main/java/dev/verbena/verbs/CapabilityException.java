// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The device lacks the capability that the called verb needs. Before the call, the application should check that {@link
 * Device#capabilities()} contains the capability. {@link #capability()} returns the missing capability.
 *
 * @serial exclude
 * @since 1.0
 */
public class CapabilityException extends VerbsException {
    private static final long serialVersionUID = 1L;

    private final Capability capability;

    /**
     * Creates the exception for a missing capability.
     *
     * @param capability the capability that the called verb needs
     * @param verb the C name of the verb, such as {@code ibv_post_send}
     * @param device the name of the device that lacks the capability
     */
    public CapabilityException(Capability capability, String verb, String device) {
        super(
                Errno.EOPNOTSUPP,
                verb,
                "device " + device + " has no " + capability + " (" + capability.description()
                        + "); check Device.capabilities() before the call, or choose another device");
        this.capability = capability;
    }

    /** {@return the capability that {@link Device#capabilities()} lacks} */
    public Capability capability() {
        return capability;
    }
}
