/**
 * The machine's own RDMA stack, through {@code java.lang.foreign}: how libibverbs is found, what is called in it, and what of
 * it the SPI shows.
 *
 * <p>Every restricted native call of the project is here. Nothing is loaded before somebody asks a provider for its
 * availability or its devices. No wire format and no verbs semantics live here: those are the kernel's and the card's.
 */
package dev.verbena.ibverbs;
