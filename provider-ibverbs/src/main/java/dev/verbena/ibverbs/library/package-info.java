/**
 * The functions of libibverbs and librdmacm: the search for the libraries, the binding of their functions, one interface
 * for each concern, the results of their calls, and the guarded pointers to their objects.
 *
 * <p>Every restricted native call of the project is in this module, and no library is loaded before the program queries
 * a provider's availability or devices.
 */
package dev.verbena.ibverbs.library;
