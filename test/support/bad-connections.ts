/**
 * Bad connections of targets. They hang, drip, close or reset in every phase, or present bad certificates. Each entry
 * contains the failure that a check must report, or null if the check passes.
 */
import type { HttpMethod } from '../../src/contracts/definition';
import type { FailureCode, Phase } from '../../src/contracts/outcome';
import {
  certificate,
  drip,
  say,
  sayThenClose,
  sayThenReset,
  type TargetKind,
} from './misbehaving-target';

export interface Misbehaviour extends TargetKind {
  readonly name: string;
  readonly code: FailureCode | null;
  readonly phase?: Phase;
  readonly method?: HttpMethod;
}

export const OK = 'HTTP/1.1 200 OK\r\n';
const hello = sayThenClose(`${OK}content-length: 5\r\n\r\nhello`);

const hangs: readonly Misbehaviour[] = [
  {
    name: 'accepts and stays silent',
    play: () => undefined,
    begins: 'connected',
    code: 'timeout',
    phase: 'ttfb',
  },
  {
    name: 'reads the request and stays silent',
    play: () => undefined,
    code: 'timeout',
    phase: 'ttfb',
  },
  {
    name: 'stops within the status line',
    play: say('HTTP/1.1 20'),
    code: 'timeout',
    phase: 'ttfb',
  },
  { name: 'stops within the headers', play: say(`${OK}x: 1\r\n`), code: 'timeout', phase: 'ttfb' },
  {
    name: 'stops after the headers',
    play: say(`${OK}content-length: 5\r\n\r\n`),
    code: 'timeout',
    phase: 'download',
  },
  {
    name: 'stops within the body',
    play: say(`${OK}content-length: 5\r\n\r\nab`),
    code: 'timeout',
    phase: 'download',
  },
  {
    name: 'stops within a chunk',
    play: say(`${OK}transfer-encoding: chunked\r\n\r\n5\r\nab`),
    code: 'timeout',
    phase: 'download',
  },
  {
    name: 'never sends the last chunk',
    play: say(`${OK}transfer-encoding: chunked\r\n\r\n2\r\nab\r\n`),
    code: 'timeout',
    phase: 'download',
  },
  {
    name: 'sends no length and never closes',
    play: say(`${OK}\r\nabc`),
    code: 'timeout',
    phase: 'download',
  },
  { name: 'drips the status line', play: drip('', 'H'), code: 'invalid_response' },
  { name: 'drips headers', play: drip(OK, 'a: 1\r\n'), code: 'timeout', phase: 'ttfb' },
  {
    name: 'drips the body',
    play: drip(`${OK}content-length: 1000\r\n\r\n`, 'x'),
    code: 'timeout',
    phase: 'download',
  },
  {
    name: 'drips chunks',
    play: drip(`${OK}transfer-encoding: chunked\r\n\r\n`, '1\r\nx\r\n'),
    code: 'timeout',
    phase: 'download',
  },
  {
    name: 'drips interim responses',
    play: drip('', 'HTTP/1.1 102 Processing\r\n\r\n'),
    code: 'timeout',
    phase: 'ttfb',
  },
  {
    name: 'drips 100 Continue',
    play: drip('', 'HTTP/1.1 100 Continue\r\n\r\n'),
    code: 'timeout',
    phase: 'ttfb',
  },
];

const cuts: readonly Misbehaviour[] = [
  {
    name: 'closes after accepting',
    play: sayThenClose(),
    begins: 'connected',
    code: 'connection_reset',
  },
  {
    name: 'resets after accepting',
    play: (socket) => socket.resetAndDestroy(),
    begins: 'connected',
    code: 'connection_reset',
  },
  { name: 'closes after the request', play: sayThenClose(), code: 'connection_reset' },
  {
    name: 'resets after the request',
    play: (socket) => socket.resetAndDestroy(),
    code: 'connection_reset',
  },
  {
    name: 'closes within the status line',
    play: sayThenClose('HTTP/1.1 2'),
    code: 'invalid_response',
    phase: 'ttfb',
  },
  {
    name: 'resets within the status line',
    play: sayThenReset('HTTP/1.1 2'),
    code: 'connection_reset',
    phase: 'ttfb',
  },
  {
    name: 'closes within the headers',
    play: sayThenClose(`${OK}a: b`),
    code: 'invalid_response',
    phase: 'ttfb',
  },
  {
    name: 'resets within the headers',
    play: sayThenReset(`${OK}a: b`),
    code: 'connection_reset',
    phase: 'ttfb',
  },
  {
    name: 'closes before the body',
    play: sayThenClose(`${OK}content-length: 5\r\n\r\n`),
    code: 'invalid_response',
    phase: 'download',
  },
  {
    name: 'resets before the body',
    play: sayThenReset(`${OK}content-length: 5\r\n\r\n`),
    code: 'connection_reset',
    phase: 'download',
  },
  {
    name: 'closes within the body',
    play: sayThenClose(`${OK}content-length: 5\r\n\r\nab`),
    code: 'invalid_response',
    phase: 'download',
  },
  {
    name: 'resets within the body',
    play: sayThenReset(`${OK}content-length: 5\r\n\r\nab`),
    code: 'connection_reset',
    phase: 'download',
  },
  {
    name: 'closes within a chunk',
    play: sayThenClose(`${OK}transfer-encoding: chunked\r\n\r\n5\r\nab`),
    code: 'invalid_response',
    phase: 'download',
  },
  {
    name: 'closes before the last chunk',
    play: sayThenClose(`${OK}transfer-encoding: chunked\r\n\r\n2\r\nab\r\n`),
    code: 'invalid_response',
    phase: 'download',
  },
  {
    name: 'closes after an interim response',
    play: sayThenClose('HTTP/1.1 103 Early Hints\r\n\r\n'),
    code: 'invalid_response',
  },
];

const tls: readonly Misbehaviour[] = [
  {
    name: 'presents an expired certificate',
    play: hello,
    tls: certificate('expired'),
    code: 'tls_error',
    phase: 'tls',
  },
  {
    name: 'presents a certificate that is not yet valid',
    play: hello,
    tls: certificate('not-yet-valid'),
    code: 'tls_error',
  },
  {
    name: 'presents a certificate for another host',
    play: hello,
    tls: certificate('wrong-host'),
    code: 'tls_error',
  },
  {
    name: 'presents a certificate of an unknown authority',
    play: hello,
    tls: certificate('unknown-authority'),
    code: 'tls_error',
  },
  {
    name: 'presents a client certificate',
    play: hello,
    tls: certificate('client-only'),
    code: 'tls_error',
  },
  {
    name: 'presents a self-signed certificate',
    play: hello,
    tls: certificate('self-signed'),
    code: 'tls_error',
  },
  {
    name: 'speaks TLS 1.1 only',
    play: hello,
    tls: {
      ...certificate('good'),
      minVersion: 'TLSv1.1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT:@SECLEVEL=0',
    },
    code: 'tls_error',
  },
  {
    name: 'shares no cipher',
    play: hello,
    tls: {
      ...certificate('good'),
      maxVersion: 'TLSv1.2',
      ciphers: 'ECDHE-ECDSA-NULL-SHA:@SECLEVEL=0',
    },
    code: 'tls_error',
  },
  {
    name: 'closes within a TLS body',
    play: sayThenClose(`${OK}content-length: 5\r\n\r\nab`),
    tls: certificate('good'),
    code: 'invalid_response',
  },
];

/** Targets that do not use TLS. Checks request them over https. */
export const BROKEN_TLS: readonly Misbehaviour[] = [
  {
    name: 'speaks plain HTTP on the TLS port',
    play: sayThenClose('HTTP/1.1 400 Bad Request\r\n\r\n'),
    begins: 'connected',
    code: 'tls_error',
  },
  {
    name: 'responds to TLS with invalid bytes',
    play: sayThenClose(Buffer.alloc(500, 7)),
    begins: 'connected',
    code: 'tls_error',
  },
  {
    name: 'responds to TLS with an alert',
    play: sayThenClose(Buffer.from([21, 3, 3, 0, 2, 2, 40])),
    begins: 'connected',
    code: 'tls_error',
  },
  {
    name: 'closes during the handshake',
    play: sayThenClose(),
    begins: 'connected',
    code: 'connection_reset',
    phase: 'tls',
  },
  {
    name: 'resets during the handshake',
    play: (socket) => socket.resetAndDestroy(),
    begins: 'connected',
    code: 'connection_reset',
  },
  {
    name: 'hangs during the handshake',
    play: () => undefined,
    begins: 'connected',
    code: 'timeout',
    phase: 'tls',
  },
  {
    name: 'drips during the handshake',
    play: drip('', '\x16'),
    begins: 'connected',
    code: 'tls_error',
  },
];

const fine: readonly Misbehaviour[] = [
  { name: 'responds over plain HTTP', play: hello, code: null },
  { name: 'responds over TLS', play: hello, tls: certificate('good'), code: null },
];

/** Checks request these targets over http, except the targets that use TLS. */
export const BAD_CONNECTIONS = [...hangs, ...cuts, ...tls, ...fine];
