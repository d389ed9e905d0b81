// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

/** A verbs object that creates other verbs objects. The created objects must be closed before their creator. */
interface Parent {
    Children children();
}
