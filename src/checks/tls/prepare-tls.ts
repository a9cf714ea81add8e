/**
 * Converts a definition's TLS settings for handshakes, and caches the result. Invalid PEM fails with `secret_invalid`,
 * because the target is not to blame.
 */
import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { Tls, TlsTrust } from '../../contracts/definitions/tls';
import type { ClientCertificate } from '../../contracts/outcome';
import { renderText, type TemplateValues } from '../../domain/templates/template';
import { createLruCache } from '../../platform/lru-cache';
import { unwrapRendered } from '../rendered';
import { readErrorCode, StepFailure } from '../step-failure';
import { DEFAULT_RULES, type HandshakeRules, type RequestTls } from './handshake-rules';

const CONTEXTS_MAX = 200;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;
const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----[\s\S]*?-----END (?:[A-Z]+ )*PRIVATE KEY-----/;

/** Prepares the settings. Throws StepFailure if a reference cannot be filled in, or if the settings are invalid. */
export type PrepareTls = (tls: Tls, values: TemplateValues) => RequestTls;

/** A client certificate and its key. */
interface Identity {
  readonly cert: string;
  readonly key: string;
  readonly passphrase: string | null;
}

/** Trusted authorities. If none are given, the public ones are trusted. */
interface Trusted {
  readonly ca?: string[];
}

interface Contexts {
  readonly own: SecureContext | null;
  readonly elsewhere: SecureContext | null;
  readonly client: ClientCertificate | null;
}

/** @param extraAuthorities PEM certificates that the installation trusts in addition to the public ones. */
export function createPrepareTls(extraAuthorities: readonly string[]): PrepareTls {
  const kept = createLruCache<Contexts>(CONTEXTS_MAX);
  const usual: Trusted =
    extraAuthorities.length === 0 ? {} : { ca: [...rootCertificates, ...extraAuthorities] };

  /** @param ca null means the public authorities, plus those of the installation. */
  function createContexts(ca: string | null, identity: Identity | null): Contexts {
    const trusted: Trusted =
      ca === null ? usual : { ca: [...readCertificates(ca, 'tls.trust.ca')] };
    const elsewhere = ca === null ? null : createSecureContext(trusted);
    if (identity === null) return { own: elsewhere, elsewhere, client: null };
    return { ...readIdentity(identity, trusted), elsewhere };
  }

  return (tls, values) => {
    const render = (text: string | undefined): string | null =>
      text === undefined ? null : unwrapRendered(renderText(text, values));
    const { trust = 'system', checkHost = true, serverName = null } = tls;
    const ca = typeof trust === 'object' && 'ca' in trust ? render(trust.ca) : null;
    const [cert, key] = [render(tls.certificate), render(tls.key)];
    const identity =
      cert === null || key === null ? null : { cert, key, passphrase: render(tls.passphrase) };
    const digest = hashParts([ca, identity?.cert, identity?.key, identity?.passphrase]);
    const contexts = kept.get(digest) ?? createContexts(ca, identity);
    kept.set(digest, contexts);
    return buildRules({ trust, checkHost, serverName }, contexts);
  };
}

interface Judging extends Pick<HandshakeRules, 'checkHost' | 'serverName'> {
  readonly trust: TlsTrust;
}

function buildRules({ trust, checkHost, serverName }: Judging, contexts: Contexts): RequestTls {
  const { own, elsewhere, client } = contexts;
  const anywhere = trust === 'unchecked' ? trust : 'authorities';
  const here = typeof trust === 'object' && 'pin' in trust ? trust.pin : anywhere;
  return {
    own: { context: own, trust: here, checkHost, serverName, client },
    elsewhere: { ...DEFAULT_RULES, context: elsewhere, trust: anywhere, checkHost },
  };
}

/** Returns a cache key from which none of the parts can be read. */
function hashParts(parts: readonly (string | null | undefined)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

function invalid(message: string): StepFailure {
  return new StepFailure('secret_invalid', message, 'prepare');
}

function readCertificates(text: string, field: string): readonly string[] {
  const found = text.match(CERTIFICATE) ?? [];
  if (found.length === 0) throw invalid(`${field} contains no certificate in PEM.`);
  for (const one of found) parseCertificate(one, field);
  return found;
}

function parseCertificate(text: string, field: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch {
    throw invalid(`${field} contains a certificate that cannot be read.`);
  }
}

function readIdentity(
  { cert, key, passphrase }: Identity,
  trusted: Trusted,
): { readonly own: SecureContext; readonly client: ClientCertificate } {
  const [first = ''] = readCertificates(cert, 'tls.certificate');
  const leaf = parseCertificate(first, 'tls.certificate');
  const keyText = PRIVATE_KEY.exec(key)?.[0];
  if (keyText === undefined) throw invalid('tls.key contains no private key in PEM.');
  const given = { key: keyText, ...(passphrase !== null && { passphrase }) };
  if (!leaf.checkPrivateKey(parseKey(given)))
    throw invalid('tls.key is not the key of tls.certificate.');
  try {
    const own = createSecureContext({ ...trusted, cert, ...given });
    return { own, client: describe(leaf) };
  } catch (error) {
    throw invalid(`tls.certificate and tls.key cannot be used (${readErrorCode(error)}).`);
  }
}

function parseKey(given: { readonly key: string; readonly passphrase?: string }): KeyObject {
  if (given.passphrase === undefined && given.key.includes('ENCRYPTED'))
    throw invalid('tls.key is encrypted, but tls.passphrase is not set.');
  try {
    return createPrivateKey(given);
  } catch {
    throw invalid(
      given.passphrase === undefined
        ? 'tls.key contains a private key that cannot be read.'
        : 'tls.key cannot be read with tls.passphrase.',
    );
  }
}

function describe({ fingerprint256, issuer, validTo }: X509Certificate): ClientCertificate {
  const name = /^CN=(.*)$/m.exec(issuer) ?? /^OU?=(.*)$/m.exec(issuer);
  return {
    fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
    issuer: name?.[1] ?? null,
    expiresAt: new Date(validTo).toISOString(),
  };
}
