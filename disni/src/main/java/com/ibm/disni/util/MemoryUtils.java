// SPDX-License-Identifier: Apache-2.0
package com.ibm.disni.util;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Returns the memory address of a direct buffer. This class replaces DiSNI's class of the same name. DiSNI's class
 * needs access to the JDK's package {@code sun.nio.ch}.
 */
public final class MemoryUtils {
    /** The constructor exists because DiSNI's class has one. */
    public MemoryUtils() {}

    /**
     * Returns the memory address of a buffer's byte at index 0, regardless of the buffer's position.
     *
     * @param buffer a direct or mapped buffer
     * @return the address
     * @throws IllegalArgumentException if the buffer is not direct
     */
    public static long getAddress(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException(buffer + " is on the Java heap and has no address; use allocateDirect");
        }
        return MemorySegment.ofBuffer(buffer.duplicate().clear()).address();
    }
}
