/** Failures of an exchange after the request was sent and before the response was complete. */
import { refusedCertificateSentence } from '../domain/states/connection-words';
import type { ResponseReader } from './http/response-reader';
import { readErrorCode, StepFailure } from './step-failure';

/** How much of the response has arrived. */
export type ResponseProgress = Pick<ResponseReader, 'hasBytes' | 'phase'>;

/** Returns the failure of a target that closed the connection cleanly, but too early. */
export function createClosedFailure(progress: ResponseProgress): StepFailure {
  const phase = progress.phase();
  if (!progress.hasBytes()) {
    const message = 'The connection was closed without a response.';
    return new StepFailure('connection_reset', message, 'ttfb');
  }
  const message =
    phase === 'download'
      ? 'The connection was closed before the response was complete.'
      : 'The connection was closed within the response headers.';
  return new StepFailure('invalid_response', message, phase);
}

export function toSocketFailure(error: unknown, progress: ResponseProgress): StepFailure {
  const code = readErrorCode(error);
  // With TLS 1.3, a server reports a missing client certificate only after the handshake.
  if (code === 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED') {
    const message = 'The server requires a client certificate. Set tls.certificate and tls.key.';
    return new StepFailure('tls_error', message, 'tls');
  }
  const refusal = refusedCertificateSentence(code);
  if (refusal !== null) return new StepFailure('tls_error', refusal, 'tls');
  const isTls = code.startsWith('ERR_SSL_');
  return isTls
    ? new StepFailure('tls_error', 'The TLS connection broke.', progress.phase())
    : new StepFailure('connection_reset', 'The connection was reset.', progress.phase());
}
