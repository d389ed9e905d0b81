// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

/** A verbs object that creates other objects, which must be closed before it. */
interface Parent {
    Children children();
}
