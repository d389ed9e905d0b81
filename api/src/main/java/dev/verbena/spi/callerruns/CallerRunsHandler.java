// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi.callerruns;

import dev.verbena.verbs.CompletionHandler;

/**
 * A completion handler that runs no code of the program, so that a device may call the handler in a thread of the
 * program, at the {@link CallerRuns#endCall} of the call that caused the completion.
 */
public interface CallerRunsHandler extends CompletionHandler {}
