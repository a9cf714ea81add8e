/** The issuer of ID tokens of a CI service, on loopback. It serves its documents and signs tokens with any claims. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { listenOnLoopback } from './loopback-server';
import type { MadeCertificate } from './make-certificate';

export const DISCOVERY_PATH = '/.well-known/openid-configuration';
export const KEYS_PATH = '/keys';
export const KEY_ID = 'key-of-the-tests';

export interface CiIssuer {
  readonly url: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  /** The paths of the requests, in order. */
  readonly asked: string[];
  /** Handlers that replace the normal response, by path. */
  readonly overrides: Map<string, RequestListener>;
  readonly sign: (claims: unknown, header?: object) => string;
  readonly close: () => Promise<void>;
}

/** Starts the issuer. With a certificate, which must be valid for 127.0.0.1, it uses https. */
export async function startCiIssuer(certificate?: MadeCertificate): Promise<CiIssuer> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const asked: string[] = [];
  const overrides = new Map<string, RequestListener>();
  const key = { ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'RS256', use: 'sig' };
  const documents = new Map<string, unknown>([[KEYS_PATH, { keys: [key] }]]);
  const respond: RequestListener = (request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const override = overrides.get(path);
    if (override !== undefined) return override(request, response);
    response.statusCode = documents.has(path) ? 200 : 404;
    response.end(JSON.stringify(documents.get(path) ?? {}));
  };
  const server =
    certificate === undefined
      ? createServer(respond)
      : createTlsServer({ cert: certificate.cert, key: certificate.key }, respond);
  const { port, close } = await listenOnLoopback(server);
  const url = `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  documents.set(DISCOVERY_PATH, { issuer: url, jwks_uri: `${url}${KEYS_PATH}` });
  return {
    url,
    publicKey,
    privateKey,
    asked,
    overrides,
    sign: (claims, header) => signToken(claims, header, privateKey),
    close,
  };
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Encodes header and payload in the form that is signed. */
export function encodeToken(claims: unknown, header: object = {}): string {
  return `${encode({ alg: 'RS256', kid: KEY_ID, typ: 'JWT', ...header })}.${encode(claims)}`;
}

/** Signs the token with RS256, even if the header names another algorithm. */
export function signToken(claims: unknown, header: object | undefined, key: KeyObject): string {
  const signed = encodeToken(claims, header);
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}
