// SPDX-License-Identifier: Apache-2.0
package com.ibm.disni.util;

/** The processor affinity of threads, which stays as it is. Takes the place of the class that loads libdisni. */
public final class NativeAffinity {
    /** Made by no program; DiSNI's class has this constructor. */
    public NativeAffinity() {}

    /**
     * Does nothing: Java has no call for it, and no result depends on it.
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
