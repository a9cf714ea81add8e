/**
 * Converts errors for Temporal: messages and stack traces go into a payload, which the payload codec encrypts. Client,
 * worker and workflow bundle load this file by its path and must all have it.
 */
import { DefaultFailureConverter } from '@temporalio/common';

export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
