// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm;

import java.util.List;

/** The function by which a connection manager finds the devices of its provider. */
@FunctionalInterface
public interface CmDirectory {
    List<CmDevice> devices();
}
