// SPDX-License-Identifier: Apache-2.0
package dev.verbena.spi.callerruns;

import dev.verbena.verbs.CompletionHandler;

/**
 * A completion handler that runs no code of the program. A device may therefore call it in a thread of the program, where a {@linkplain
 * CallerRuns#endCall() call ends} that caused the completion.
 */
public interface CallerRunsHandler extends CompletionHandler {}
