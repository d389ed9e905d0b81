// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni.bridge;

import com.ibm.disni.verbs.IbvContext;
import dev.verbena.verbs.Device;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The context of a device that the connection manager has opened. DiSNI programs identify a device by the {@code cmd_fd} of
 * its context. DiSNI programs use the lkey of a memory region as the rkey, so each region reports the provider's rkey as
 * both keys. A table maps each rkey to the provider's lkey if the two keys differ.
 */
final class BridgeContext extends IbvContext {
    private final Device device;
    private final Map<Integer, Integer> otherLkeys = new ConcurrentHashMap<>();

    BridgeContext(Device device) throws IOException {
        super(Numbers.next(), device.attributes().completionVectors());
        this.device = device;
    }

    Device device() {
        return device;
    }

    void addKeys(int rkey, int lkey) {
        if (lkey != rkey) {
            otherLkeys.put(rkey, lkey);
        }
    }

    void removeKeys(int rkey) {
        otherLkeys.remove(rkey);
    }

    int lkeyOf(int key) {
        return otherLkeys.isEmpty() ? key : otherLkeys.getOrDefault(key, key);
    }

    @Override
    public String toString() {
        return "device " + device.name();
    }
}
