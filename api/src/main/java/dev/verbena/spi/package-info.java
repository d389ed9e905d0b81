/**
 * How providers are found and what a provider is. Here live the provider's interface, its look-up, its availability, and the
 * memory rules that all providers share; nothing here loads a native library.
 */
package dev.verbena.spi;
