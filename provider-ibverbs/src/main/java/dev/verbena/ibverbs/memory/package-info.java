/** Memory regions and memory windows. */
package dev.verbena.ibverbs.memory;
