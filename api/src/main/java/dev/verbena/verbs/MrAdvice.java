// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The advice about on-demand-paging (ODP) regions that an application can pass to the device ({@code enum
 * ibv_advise_mr_advice}, {@code ibv_advise_mr}(3)).
 *
 * @since 1.0
 */
public enum MrAdvice {
    /**
     * The device prefetches the pages for reading: it resolves their addresses, so that later reads by the device cause no
     * page fault. The pages may be read-only.
     */
    PREFETCH(0),
    /** The device prefetches the pages for later reads and writes. The region must have LOCAL_WRITE. */
    PREFETCH_WRITE(1),
    /** The device prefetches only those pages that are resident in memory (rdma-core 32, Linux 5.10). */
    PREFETCH_NO_FAULT(2);

    private final int code;

    MrAdvice(int code) {
        this.code = code;
    }

    /** {@return the value of the advice in {@code enum ibv_advise_mr_advice}} */
    public int code() {
        return code;
    }
}
