/**
 * For implementers of providers: the interface of a provider and how it is found, and classes that providers extend.
 *
 * <p>Later releases add methods to the interfaces of {@code dev.verbena.verbs}. The {@code Abstract} classes then implement them: the
 * new method refuses by capability, or does what older methods allow. So a provider whose classes extend them runs with every later
 * release of the same major version. Each of them also implements the methods that a device of the minimum (RC, send, receive, poll)
 * lacks. An interface without such a class gets default methods only. The {@code Plain} classes are work requests and a completion
 * queue on the Java heap, for a provider without a layout of its own.
 *
 * <p>Programs use {@link dev.verbena.spi.VerbsProviders} and {@link dev.verbena.spi.VerbsProvider} of this package, and no others.
 */
package dev.verbena.spi;
