// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

/** An object of the device that creates others, which must be closed before it. */
interface Parent {
    /** The open objects that it created. */
    Children children();
}
