// SPDX-License-Identifier: Apache-2.0
/**
 * The data path: work requests and completions as C structures, and the address handles to which work requests refer. A
 * batch of requests or completions allocates no memory after its construction.
 */
package dev.verbena.ibverbs.data;
