// SPDX-License-Identifier: Apache-2.0
/**
 * The data path: work requests and completions in their C structures, and the address handles to which requests refer.
 * A batch allocates nothing after its construction.
 */
package dev.verbena.ibverbs.data;
