// SPDX-License-Identifier: Apache-2.0
/**
 * The data path: work requests and completions in their C structures, and the address handles that requests refer to.
 * After its construction, a batch allocates nothing.
 */
package dev.verbena.ibverbs.data;
