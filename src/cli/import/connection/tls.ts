/**
 * Converts another tool's settings for client and server certificates to `tls`. Certificates are copied, and keys
 * become secrets.
 */
import { z } from 'zod';
import { isCertificates } from '../../../schemas/tls/tls-field';
import type { Fields, NoteTaker } from '../imported';
import { isOn, type Monitor } from '../uptime-kuma-shape';

interface Given extends NoteTaker {
  /** The key of the monitor. Names of secrets start with it. */
  readonly key: string;
}

/** Returns `trust: unchecked` and writes a note if the other tool did not check certificates. Empty otherwise. */
export function importUncheckedTls(isUnchecked: boolean, { note }: NoteTaker): Fields {
  if (!isUnchecked) return {};
  note('ignores certificates; imported as tls.trust: unchecked, which lists mark');
  return { trust: 'unchecked' };
}

/** Returns `tls` without the expiry warnings. Empty if no other settings are needed. */
export function importKumaTls(monitor: Monitor, given: Given): Fields {
  const unchecked = importUncheckedTls(isOn(monitor.ignoreTls), given);
  if (monitor.authMethod !== 'mtls') {
    const names = (['tlsCa', 'tlsCert', 'tlsKey'] as const).filter((name) => monitor[name]);
    if (names.length > 0) given.note(`has ${names.join(', ')} without mTLS; left out`);
    return unchecked;
  }
  return { ...importAuthority(monitor, given), ...unchecked, ...importIdentity(monitor, given) };
}

function importAuthority({ tlsCa }: Monitor, { note }: Given): Fields {
  if (!tlsCa) return {};
  if (isCertificates(tlsCa)) return { trust: { ca: tlsCa } };
  note('trusts an authority in tlsCa that is not a PEM certificate; left out');
  return {};
}

function importIdentity({ tlsCert, tlsKey }: Monitor, { key, note }: Given): Fields {
  if (!tlsCert && !tlsKey) return {};
  if (!tlsCert || !tlsKey || !isCertificates(tlsCert)) {
    note('has a client certificate that is not PEM or has no key; left out');
    return {};
  }
  const secret = `${formatPrefix(key)}_TLS_KEY`;
  note(`presents a client certificate: set the secret ${secret} to its private key`);
  return { certificate: tlsCert, key: `{{secret:${secret}}}` };
}

const text = z.string().nullish();

/** The schema of Gatus's `client.tls`. */
export const gatusTls = z
  .looseObject({ 'certificate-file': text, 'private-key-file': text })
  .nullish();

const READ: readonly string[] = ['certificate-file', 'private-key-file'];

/**
 * Converts `client.tls` and `client.insecure` of Gatus. The files that `client.tls` names are on another machine, so a
 * note about them is written.
 */
export function importGatusTls(
  client: {
    readonly insecure?: boolean | null | undefined;
    readonly tls?: z.output<typeof gatusTls>;
  },
  given: Given,
): Fields {
  const { key, note } = given;
  const { tls, insecure } = client;
  const unchecked = importUncheckedTls(insecure === true, given);
  for (const name of Object.keys(tls ?? {}).filter((each) => !READ.includes(each)))
    note(`client.tls.${name} has no counterpart`);
  const [certificate, privateKey] = [tls?.['certificate-file'], tls?.['private-key-file']];
  if (!certificate && !privateKey) return unchecked;
  if (!certificate || !privateKey) {
    note('client.tls has no certificate-file, or no private-key-file; left out');
    return unchecked;
  }
  const [shown, secret] = [`${formatPrefix(key)}_TLS_CERTIFICATE`, `${formatPrefix(key)}_TLS_KEY`];
  note(
    `presents a client certificate: set the secrets ${shown} and ${secret} to the contents of its files`,
  );
  return { ...unchecked, certificate: `{{secret:${shown}}}`, key: `{{secret:${secret}}}` };
}

/** Merges the two parts of `tls`. null means that the default settings apply. */
export function joinTls(one: Fields, other: Fields | null = null): Fields | null {
  const joined = { ...one, ...other };
  return Object.keys(joined).length === 0 ? null : joined;
}

function formatPrefix(key: string): string {
  return key.replaceAll(/[^a-z0-9]/g, '_').toUpperCase();
}
