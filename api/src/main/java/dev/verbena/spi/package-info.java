/**
 * How providers are found and what a provider is. Here live the provider's interface, its look-up and its availability; no
 * verbs objects, and nothing that loads a native library.
 */
package dev.verbena.spi;
