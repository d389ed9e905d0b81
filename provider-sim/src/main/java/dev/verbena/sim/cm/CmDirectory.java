// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import java.util.List;

/** The devices of a provider, as its connection manager finds them. */
@FunctionalInterface
public interface CmDirectory {
    /** Returns the devices in the order in which an unbound id prefers them. */
    List<CmDevice> devices();
}
