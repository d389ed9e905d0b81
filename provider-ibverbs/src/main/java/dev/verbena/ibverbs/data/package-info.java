/**
 * The data path: work requests and completions in their C structures, and the objects that only requests refer to. After
 * construction, no post or poll allocates memory.
 */
package dev.verbena.ibverbs.data;
