/**
 * The machine's own RDMA stack, through {@code java.lang.foreign}: the search for libibverbs, the calls of its
 * functions, and their translation to the SPI.
 *
 * <p>Every restricted native call of the project is in this package. No library is loaded before the program queries a
 * provider's availability or devices. The package has no wire format and no verbs semantics: the kernel and the card
 * implement them.
 */
package dev.verbena.ibverbs;
