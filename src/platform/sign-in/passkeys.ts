/** Passkeys (Web Authentication Level 3) for the public URL of the installation. */
import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';

/** The data for checking the signature of a passkey. */
export interface PasskeyKey {
  /** The credential id in base64url. */
  readonly id: string;
  /** The public key as a COSE key in base64url. */
  readonly publicKey: string;
  /**
   * The number of signatures that the authenticator has created. 0 means that the authenticator does not count them.
   */
  readonly counter: number;
  readonly transports: readonly string[];
}

interface Registering {
  readonly personId: string;
  readonly email: string;
  readonly challenge: string;
  readonly existing: readonly PasskeyKey[];
}

interface Authenticating {
  readonly challenge: string;
  /**
   * The passkeys that the person may use. null means that the browser offers all passkeys that it has for this host.
   */
  readonly allowed: readonly PasskeyKey[] | null;
}

interface Verifying {
  /** The browser's response, which has not been checked. */
  readonly response: unknown;
  readonly challenge: string;
  readonly passkey: PasskeyKey;
  /** True means that the authenticator must have checked a PIN or a biometric feature. */
  readonly mustVerifyUser: boolean;
}

export interface Passkeys {
  /**
   * False if the public URL has an IP address or no TLS, because browsers then allow no passkeys. Only localhost needs
   * no TLS.
   */
  readonly isAvailable: boolean;
  /** Returns the options for `navigator.credentials.create` as JSON. */
  readonly describeRegistration: (asked: Registering) => Promise<object>;
  /** Checks a new passkey. null means that the response is not valid. */
  readonly readRegistration: (response: unknown, challenge: string) => Promise<PasskeyKey | null>;
  /** Returns the options for `navigator.credentials.get` as JSON. */
  readonly describeAuthentication: (asked: Authenticating) => Promise<object>;
  /**
   * Checks a signature and returns the new counter. Returns null if the signature is invalid. Also returns null if the
   * counter did not increase, because the authenticator may then have been cloned.
   */
  readonly readAuthentication: (asked: Verifying) => Promise<number | null>;
}

const NAME = 'Keepwatch';
const TIMEOUT_MS = 5 * 60_000;

/** The library is loaded only on first use, because it then occupies memory until the process ends. */
const loadLibrary = () => import('@simplewebauthn/server');

export function createPasskeys(publicUrl: string): Passkeys {
  const { hostname, protocol, origin } = new URL(publicUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isAddress = isIP(hostname.replaceAll(/^\[|\]$/g, '')) !== 0;
  const site = { hostname, origin };
  return {
    isAvailable: !isAddress && (protocol === 'https:' || isLocal),
    describeRegistration: (asked) => describeRegistration(site, asked),
    readRegistration: (response, challenge) => readRegistration(site, response, challenge),
    describeAuthentication: (asked) => describeAuthentication(site, asked),
    readAuthentication: (asked) => readAuthentication(site, asked),
  };
}

interface Site {
  /** The host name is the id of the relying party. */
  readonly hostname: string;
  readonly origin: string;
}

async function describeRegistration(
  { hostname }: Site,
  { personId, email, challenge, existing }: Registering,
): Promise<object> {
  const { generateRegistrationOptions } = await loadLibrary();
  return generateRegistrationOptions({
    rpName: NAME,
    rpID: hostname,
    userID: Uint8Array.from(Buffer.from(personId)),
    userName: email,
    challenge: decodeBytes(challenge),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: existing.map(toDescriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

async function readRegistration(
  { hostname, origin }: Site,
  response: unknown,
  challenge: string,
): Promise<PasskeyKey | null> {
  if (!isRegistration(response)) return null;
  const { verifyRegistrationResponse } = await loadLibrary();
  const expected = {
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: hostname,
    requireUserVerification: false,
  };
  const read = await verifyRegistrationResponse(expected).catch(() => null);
  if (read === null || !read.verified) return null;
  const { id, publicKey, counter } = read.registrationInfo.credential;
  const transports = readTransports(response);
  return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports };
}

async function describeAuthentication(
  { hostname }: Site,
  { challenge, allowed }: Authenticating,
): Promise<object> {
  const { generateAuthenticationOptions } = await loadLibrary();
  return generateAuthenticationOptions({
    rpID: hostname,
    challenge: decodeBytes(challenge),
    timeout: TIMEOUT_MS,
    userVerification: allowed === null ? 'required' : 'preferred',
    ...(allowed === null ? {} : { allowCredentials: allowed.map(toDescriptor) }),
  });
}

async function readAuthentication(
  { hostname, origin }: Site,
  { response, challenge, passkey, mustVerifyUser }: Verifying,
): Promise<number | null> {
  if (!isAuthentication(response)) return null;
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { id, publicKey, counter } = passkey;
  const expected = {
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: hostname,
    requireUserVerification: mustVerifyUser,
    credential: { id, counter, publicKey: decodeBytes(publicKey) },
  };
  const read = await verifyAuthenticationResponse(expected).catch(() => null);
  return read?.verified === true ? read.authenticationInfo.newCounter : null;
}

function decodeBytes(text: string) {
  return Uint8Array.from(Buffer.from(text, 'base64url'));
}

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

function isTransport(text: string): text is AuthenticatorTransport {
  return TRANSPORTS.some((known) => known === text);
}

function toDescriptor({ id, transports }: PasskeyKey) {
  return { id, transports: transports.filter(isTransport) };
}

function readTransports({ response }: RegistrationResponseJSON): readonly string[] {
  return (response.transports ?? []).filter(isTransport);
}

/** True if the response has the parts that the library uses without checking that they exist. */
function isCredential(value: unknown, parts: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null || !('response' in value)) return false;
  const { response } = value;
  if (!('id' in value) || typeof value.id !== 'string') return false;
  if (typeof response !== 'object' || response === null) return false;
  return parts.every((part) => typeof Reflect.get(response, part) === 'string');
}

function isRegistration(value: unknown): value is RegistrationResponseJSON {
  return isCredential(value, ['clientDataJSON', 'attestationObject']);
}

function isAuthentication(value: unknown): value is AuthenticationResponseJSON {
  return isCredential(value, ['clientDataJSON', 'authenticatorData', 'signature']);
}
