// SPDX-License-Identifier: Apache-2.0
package com.ibm.disni.util;

/**
 * This class replaces DiSNI's class of the same name, but neither sets nor reads the processor affinity of a thread.
 * DiSNI's class loads the native library libdisni.
 */
public final class NativeAffinity {
    /** The constructor exists because DiSNI's class has one. */
    public NativeAffinity() {}

    /**
     * Does nothing, because Java cannot set the processor affinity of a thread, and no result depends on the affinity.
     *
     * @param affinity a mask of processors
     */
    public static void setAffinity(long affinity) {}

    /**
     * Returns the affinity mask that means "not set".
     *
     * @return 0
     */
    public static long getAffinity() {
        return 0;
    }
}
