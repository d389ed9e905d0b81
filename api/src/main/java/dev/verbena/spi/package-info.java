/**
 * For implementers of providers: classes to extend and to use. A program needs none of them.
 *
 * <p>A provider implements {@link dev.verbena.verbs.VerbsProvider}. Later releases add methods to the interfaces of {@code dev.verbena.verbs}. The {@code Abstract} classes then implement them: the
 * new method refuses by capability, or does what older methods allow. So a provider whose classes extend them runs with every later
 * release of the same major version. Each of them also implements the methods that a device of the minimum (RC, send, receive, poll)
 * lacks. An interface without such a class gets default methods only. The {@code Plain} classes are work requests and a completion
 * queue on the Java heap, for a provider without a layout of its own.
 *
 * @since 1.0
 */
package dev.verbena.spi;
