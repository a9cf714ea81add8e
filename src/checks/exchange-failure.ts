/** What went wrong between request and complete response, told by undici's and the system's errors. */
import type { Phase } from '../contracts/outcome';
import { errorCodeOf, StepFailure } from './step-failure';

/** How far the response had come. */
export interface ResponseProgress {
  readonly hasBytes: boolean;
  readonly hasHead: boolean;
}

function phaseOf({ hasHead }: ResponseProgress): Phase {
  return hasHead ? 'download' : 'ttfb';
}

function invalid(message: string, phase: Phase): StepFailure {
  return new StepFailure('invalid_response', message, phase);
}

/** The target closed the connection in good order, but too early. */
export function closedFailure(progress: ResponseProgress): StepFailure {
  if (progress.hasHead) {
    return invalid('The connection was closed before the response was complete.', 'download');
  }
  return progress.hasBytes
    ? invalid('The connection was closed within the response headers.', 'ttfb')
    : new StepFailure('connection_reset', 'The connection was closed without a response.', 'ttfb');
}

/** Far more headers, interim responses or chunk framing than content. */
export function excessFailure(progress: ResponseProgress): StepFailure {
  return invalid('The response is endless headers or framing.', phaseOf(progress));
}

/** The failure behind an error that undici reports for a request. */
export function exchangeFailure(error: unknown, progress: ResponseProgress): StepFailure {
  if (error instanceof StepFailure) return error;
  const code = errorCodeOf(error);
  const message = error instanceof Error ? error.message : '';
  const phase = phaseOf(progress);
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ECONNABORTED') {
    return new StepFailure('connection_reset', 'The connection was reset.', phase);
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return invalid('The headers are larger than 16 KiB.', phase);
  }
  if (code === 'UND_ERR_SOCKET' && message === 'other side closed') return closedFailure(progress);
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return invalid('The response body does not match its content-length header.', 'download');
  }
  if (code.startsWith('ERR_SSL_')) {
    return new StepFailure('tls_error', 'The TLS connection broke.', phase);
  }
  return invalid('The response is not valid HTTP.', phase);
}
