// SPDX-License-Identifier: Apache-2.0
package com.ibm.disni.util;

/**
 * The processor affinity of threads, which this class does not change. This class replaces DiSNI's class of this name,
 * which loads libdisni.
 */
public final class NativeAffinity {
    /** DiSNI's class has this constructor, too. */
    public NativeAffinity() {}

    /**
     * Does nothing, because Java cannot set the affinity of a thread, and no result depends on it.
     *
     * @param affinity a mask of processors
     */
    public static void setAffinity(long affinity) {}

    /**
     * Returns the mask for "not set".
     *
     * @return 0
     */
    public static long getAffinity() {
        return 0;
    }
}
