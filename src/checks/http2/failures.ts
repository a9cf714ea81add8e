/** Converts errors of HTTP/2 exchanges to failures. */
import type { Phase } from '../../contracts/outcome';
import { type ResponseProgress, toSocketFailure } from '../exchange-failure';
import { Http11RequiredFailure, readErrorCode, StepFailure } from '../step-failure';

export interface Http2Progress extends ResponseProgress {
  /** Returns true once an HTTP/2 frame has arrived. */
  readonly isHttp2: () => boolean;
}

const REASON = /\bcode (?:NGHTTP2_)?(\w+)/;

/** The names of HTTP/2 error codes by their number (RFC 9113 §7). */
const CODE_NAMES = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
];

/** Explanations for users by error code. Node itself may also reset a stream with these codes. */
const STREAM_REASONS: Readonly<Record<string, string>> = {
  PROTOCOL_ERROR:
    ': its headers or its length are not valid in HTTP/2, or the server rejects the request',
  ENHANCE_YOUR_CALM: ': the server limits requests, or its headers are much too large',
};

/** Converts an error of Node's session or stream to a failure. */
export function toHttp2Failure(error: Error, progress: Http2Progress): StepFailure {
  const phase = progress.phase();
  switch (readErrorCode(error)) {
    case 'ERR_HTTP2_STREAM_ERROR':
      return streamFailure(readReason(error), phase);
    case 'ERR_HTTP2_SESSION_ERROR': {
      const reason = readReason(error);
      return resetFailure(reason, `The server ended the HTTP/2 connection with ${reason}.`, phase);
    }
    case 'ERR_HTTP2_ERROR':
    case 'ERR_HTTP2_TOO_MANY_INVALID_FRAMES':
      return new StepFailure('invalid_response', violationSentence(error, progress), phase);
    default:
      return toSocketFailure(error, progress);
  }
}

function streamFailure(reason: string, phase: Phase): StepFailure {
  const message = `The HTTP/2 stream was reset with ${reason}${STREAM_REASONS[reason] ?? ''}.`;
  if (reason === 'PROTOCOL_ERROR') return new StepFailure('invalid_response', message, phase);
  return resetFailure(reason, message, phase);
}

function resetFailure(reason: string, message: string, phase: Phase): StepFailure {
  const Kind = reason === 'HTTP_1_1_REQUIRED' ? Http11RequiredFailure : StepFailure;
  return new Kind('connection_reset', message, phase);
}

function readReason({ message }: Error): string {
  const [, reason = 'an unknown code'] = REASON.exec(message) ?? [];
  return CODE_NAMES[Number(reason)] ?? reason;
}

function violationSentence({ message }: Error, { isHttp2 }: Http2Progress): string {
  if (/CONTINUATION/.test(message)) return 'The headers take too many HTTP/2 frames.';
  // Node ends the session after too many frames that need an acknowledgement, and after too many empty frames.
  if (/flood|invalid frames/i.test(message)) return FLOOD;
  return isHttp2()
    ? `The server breaks the rules of HTTP/2 (${message.toLowerCase()}).`
    : 'The server does not speak HTTP/2 here.';
}

const FLOOD = 'The server floods the connection with HTTP/2 frames.';

export function createFloodFailure(phase: Phase): StepFailure {
  return new StepFailure('invalid_response', FLOOD, phase);
}
