/** The schemas of settings that are more than a word or a number. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { z } from 'zod';
import {
  NO_PROXY,
  PROXY_NAME,
  PROXY_SCHEMES,
  type ProxyServer,
} from '../contracts/definitions/proxy';
import { parseProbeKey } from '../contracts/probe-key';

const REGION = /^[a-z][a-z0-9-]{0,31}$/;

export const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);
export const portNumber = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .refine((port) => port <= 65535, 'must be at most 65535');
export const regionName = z.string().regex(REGION, 'must be like eu-west');
const probeKey = z.string().transform((text, context) => {
  const key = parseProbeKey(text);
  if (key !== null) return key;
  // The message does not contain the text, because it may be a key with a typo.
  context.issues.push({ code: 'custom', message: 'must be a whole key, kwp_…', input: null });
  return z.NEVER;
});
/** Probe keys: one key for each region of the process. */
export const probeKeys = commaList.pipe(
  z
    .array(probeKey)
    .min(1)
    .refine((keys) => new Set(keys.map(({ region }) => region)).size === keys.length, {
      message: 'must name each region once',
    }),
);
const PROXY_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443, socks5: 1080 };

const proxyServer = z.string().transform((text, context): ProxyServer => {
  const proxy = readProxy(text);
  if (proxy !== null) return proxy;
  // The message does not contain the text, because it may contain a password.
  const message = 'must be like corp=http://proxy.example:3128, by http, https or socks5';
  context.issues.push({ code: 'custom', message, input: null });
  return z.NEVER;
});

/**
 * Percent-decodes a text. undefined means that the text is malformed, or longer than the 255 bytes that SOCKS allows.
 */
function decoded(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text);
    return Buffer.byteLength(plain) > 255 ? undefined : plain;
  } catch {
    return undefined;
  }
}

/** Parses a proxy. null if the text is not a valid proxy. */
function readProxy(text: string): ProxyServer | null {
  const [, name = '', address = ''] = /^([^=]*)=(.*)$/.exec(text) ?? [];
  if (!PROXY_NAME.test(name) || name === NO_PROXY || !URL.canParse(address)) return null;
  const { protocol, hostname, port, username, password, pathname, search } = new URL(address);
  const scheme = PROXY_SCHEMES.find((known) => `${known}:` === protocol);
  if (scheme === undefined || hostname === '' || !['', '/'].includes(pathname + search))
    return null;
  const [user, word] = [username, password].map(decoded);
  if (user === undefined || word === undefined) return null;
  return {
    name,
    protocol: scheme,
    host: hostname.replaceAll(/^\[|\]$/g, ''),
    port: port === '' ? (PROXY_PORTS[scheme] ?? 0) : Number(port),
    credentials: user === '' && word === '' ? null : { user, password: word },
  };
}

export const proxyList = commaList.pipe(
  z
    .array(proxyServer)
    .refine((proxies) => new Set(proxies.map(({ name }) => name)).size === proxies.length, {
      message: 'must have each name once',
    }),
);
export const encryptionKey = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'each key must be 64 lower-case hex characters (32 bytes)');
export const cidrOrTarget = z
  .string()
  .regex(
    /^[0-9a-fA-F.:]+(\/\d{1,3})?(#\d{1,5}(-\d{1,5})?)?$/,
    'must be like 10.0.0.0/8 or 127.0.0.1/32#8080 (IP address range, then # and a port or port range)',
  )
  .refine(
    (text) => isRange(text.split('#')[0] ?? ''),
    'must be an IP address with a prefix that fits',
  );

export const webOrigin = z
  .string()
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text),
    'must be origins like https://tools.example.com, without a path',
  );

/** The host and port at which a process listens: `127.0.0.1:9464`, or `[::1]:9464`. */
export const listenAddress = z
  .string()
  .regex(
    /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-fA-F:]+\]):\d{1,5}$/,
    'must be an IP address and a port, like 127.0.0.1:9464',
  )
  .refine((text) => {
    const { port } = splitAddress(text);
    return port >= 1 && port <= 65_535;
  }, 'must name a port from 1 to 65535');

/** Splits an address that `listenAddress` has validated. */
export function splitAddress(address: string): { readonly host: string; readonly port: number } {
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon), port: Number(address.slice(colon + 1)) };
}

export const canaryHost = z
  .string()
  .regex(/^[A-Za-z0-9.-]+:\d{1,5}$/, 'must be like one.example:443')
  .transform((text) => {
    const [host = '', port] = text.split(':');
    return { host, port: Number(port) };
  })
  .refine(({ port }) => port >= 1 && port <= 65_535, 'must name a port from 1 to 65535');

/** Names of well-known address ranges. */
const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal'];
const HOPS = /^\d$/;

function isProxyRange(text: string): boolean {
  return NAMED_RANGES.includes(text) || isRange(text);
}

function isRange(text: string): boolean {
  const [address = '', prefix] = text.split('/');
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  try {
    const bits = family === 'ipv6' ? 128 : 32;
    new BlockList().addSubnet(address, prefix === undefined ? bits : Number(prefix), family);
    return true;
  } catch {
    return false;
  }
}

export const trustedProxies = z
  .string()
  .transform((text) =>
    HOPS.test(text) ? Number(text) : text.split(',').map((part) => part.trim()),
  )
  .refine(
    (trusted) => typeof trusted === 'number' || trusted.every(isProxyRange),
    'must be a number of proxies, or IP addresses and ranges like 10.0.0.0/8, loopback',
  );

/** The spellings of yes and no, as Temporal's own tools accept them. */
export const yesOrNo = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((word) => word === 'true' || word === '1');

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** A setting that names a PEM file. The result is the text of the file, in which every certificate must parse. */
export const certificatesFile = pemFile('certificate', (text) => {
  const certificates = text.match(CERTIFICATE) ?? [];
  for (const certificate of certificates) new X509Certificate(certificate);
  return certificates.length > 0;
});

/** A setting that names a PEM file with a private key without a passphrase. */
export const privateKeyFile = pemFile('private key without a passphrase', (text) => {
  createPrivateKey(text);
  return true;
});

/** @param holds Returns true if the text contains the expected data. The text is also refused if `holds` throws. */
function pemFile(thing: string, holds: (text: string) => boolean) {
  return z.string().transform((path, context) => {
    const refuse = (message: string) => {
      context.issues.push({ code: 'custom', message, input: path });
      return z.NEVER;
    };
    const text = readText(path);
    if (text === null) return refuse(`names ${path}, which is not readable`);
    try {
      return holds(text) ? text : refuse(`names ${path}, which contains no ${thing} in PEM`);
    } catch {
      return refuse(`names ${path}, which contains no ${thing} in PEM`);
    }
  });
}

/** null means that the file cannot be read. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
