// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.struct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** The numbers are the results of {@code sizeof} and {@code offsetof} with the headers of rdma-core 44 on x86-64. */
class IbvDeviceTest {
    @Test
    void sizeAndOffsetsAreTheCompilersOn64Bits() {
        assumeTrue(ValueLayout.ADDRESS.byteSize() == 8, "the numbers hold for pointers of 8 bytes");
        assertThat(IbvDevice.LAYOUT.byteSize()).isEqualTo(664);
        assertThat(offset("node_type")).isEqualTo(16);
        assertThat(offset("transport_type")).isEqualTo(20);
        assertThat(offset("name")).isEqualTo(24);
        assertThat(offset("dev_name")).isEqualTo(88);
        assertThat(offset("dev_path")).isEqualTo(152);
        assertThat(offset("ibdev_path")).isEqualTo(408);
    }

    private static long offset(String field) {
        return IbvDevice.LAYOUT.byteOffset(PathElement.groupElement(field));
    }
}
