/**
 * A gateway with TLS in front of a plain Temporal server, as in a secured cluster. It can require a client certificate
 * and an API key. It passes every accepted call on over HTTP/2.
 */
import { once } from 'node:events';
import {
  type ClientHttp2Session,
  connect,
  createSecureServer,
  type Http2Session,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { MadeCertificate } from './make-certificate';

export interface GatewayRules {
  readonly own: MadeCertificate;
  /** Certificates (PEM) of the authorities of accepted clients. If absent, any client may connect. */
  readonly clients?: readonly string[];
  readonly apiKey?: string;
}

export interface TemporalGateway {
  /** `127.0.0.1:port`. */
  readonly address: string;
  /** The number of calls that were passed on, by method. */
  readonly calls: ReadonlyMap<string, number>;
  /** Fingerprints of the certificates that clients presented. */
  readonly seenClients: ReadonlySet<string>;
  readonly close: () => Promise<void>;
}

const UNAUTHENTICATED = '16';

export async function startTemporalGateway(
  upstream: string,
  { own, clients, apiKey }: GatewayRules,
): Promise<TemporalGateway> {
  const calls = new Map<string, number>();
  const seenClients = new Set<string>();
  const sessions = new Set<Http2Session>();
  const server = createSecureServer({
    key: own.key,
    cert: own.cert,
    ...(clients === undefined
      ? {}
      : { ca: [...clients], requestCert: true, rejectUnauthorized: true }),
  });
  const upstreams = new WeakMap<object, ClientHttp2Session>();

  function upstreamOf(session: Http2Session): ClientHttp2Session {
    const known = upstreams.get(session);
    if (known !== undefined) return known;
    const opened = connect(`http://${upstream}`);
    opened.on('error', () => session.destroy());
    upstreams.set(session, opened);
    sessions.add(opened);
    return opened;
  }

  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => undefined);
    session.on('close', () => upstreams.get(session)?.destroy());
    const { socket } = session;
    if (socket instanceof TLSSocket && clients !== undefined)
      seenClients.add(socket.getPeerCertificate().fingerprint256);
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    if (apiKey !== undefined && headers.authorization !== `Bearer ${apiKey}`) {
      refuse(stream);
      return;
    }
    const method = String(headers[':path']).split('/').at(-1) ?? '';
    calls.set(method, (calls.get(method) ?? 0) + 1);
    if (stream.session !== undefined) passOn(stream, headers, upstreamOf(stream.session));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function close(): Promise<void> {
    const closed = once(server, 'close');
    server.close();
    for (const session of sessions) session.destroy();
    await closed;
  }

  return { address: `127.0.0.1:${port}`, calls, seenClients, close };
}

function refuse(stream: ServerHttp2Stream): void {
  const headers = { 'content-type': 'application/grpc', 'grpc-status': UNAUTHENTICATED };
  stream.respond({ ...headers, 'grpc-message': 'no valid key' }, { endStream: true });
}

function passOn(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  upstream: ClientHttp2Session,
): void {
  const { ':scheme': _scheme, ':authority': _authority, authorization: _key, ...rest } = headers;
  const call = upstream.request(rest as OutgoingHttpHeaders, { endStream: false });
  let trailers: IncomingHttpHeaders = {};
  call.on('response', (answer, flags) => {
    // The flag END_STREAM means that the response consists only of headers.
    const isWhole = (flags & 1) === 1;
    if (stream.destroyed) return;
    stream.respond(answer, isWhole ? { endStream: true } : { waitForTrailers: true });
    if (!isWhole) call.pipe(stream);
  });
  call.on('trailers', (sent) => {
    trailers = sent;
  });
  stream.on('wantTrailers', () => stream.sendTrailers(withoutPseudo(trailers)));
  call.on('error', () => stream.destroy());
  stream.on('close', () => call.close());
  stream.pipe(call);
}

function withoutPseudo(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')));
}
