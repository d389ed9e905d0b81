// SPDX-License-Identifier: Apache-2.0
package com.ibm.disni.util;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Returns the address of a buffer. This class replaces DiSNI's class of this name, which needs an export of
 * {@code sun.nio.ch}.
 */
public final class MemoryUtils {
    /** DiSNI's class has this constructor, too. */
    public MemoryUtils() {}

    /**
     * Returns the address of a buffer's byte at index 0, regardless of its position.
     *
     * @param buffer a direct or mapped buffer
     * @return the address
     * @throws IllegalArgumentException if the buffer is on the Java heap
     */
    public static long getAddress(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException(buffer + " is of the Java heap and has no address; allocate it direct");
        }
        return MemorySegment.ofBuffer(buffer.duplicate().clear()).address();
    }
}
