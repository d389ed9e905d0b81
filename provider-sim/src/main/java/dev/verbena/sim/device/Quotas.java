// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import dev.verbena.verbs.DeviceAttributes;

/**
 * The quotas of a device. The quota of responder resources limits the sum of {@code max_dest_rd_atomic} over all queue
 * pairs of the device.
 */
record Quotas(
        Quota domains,
        Quota completionQueues,
        Quota sharedReceiveQueues,
        Quota addressHandles,
        Quota responderResources) {
    static Quotas of(DeviceAttributes limits) {
        return new Quotas(
                new Quota("protection domains", limits.maxPd()),
                new Quota("completion queues", limits.maxCq()),
                new Quota("shared receive queues", limits.maxSrq()),
                new Quota("address handles", limits.maxAh()),
                new Quota("resources for READs and atomics of peers", limits.maxResRdAtom()));
    }
}
