/**
 * Encrypts values with the keyring of KEEPWATCH_SECRET_KEY, and derives tokens from it. An encrypted value consists of
 * version (1 byte) · key id (4 bytes) · nonce (12) · AES-256-GCM tag (16) · ciphertext. Every purpose has its own key
 * by HKDF-SHA256 (RFC 5869).
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + 4 + NONCE_BYTES + TAG_BYTES;

export interface Sealer {
  /** Encrypts with the first key of the keyring. */
  readonly seal: (plain: Buffer, context: string) => Buffer;
  /** Decrypts. Throws if the value was altered, has another context, or was encrypted with an unknown key. */
  readonly open: (sealed: Buffer, context: string) => Buffer;
  /** The id of the key that encrypts, in 8 hex characters. */
  readonly keyId: string;
}

/** Like Sealer, but for texts. The encrypted form is base64url. */
export interface TextSealer {
  readonly seal: (plain: string, context: string) => string;
  readonly open: (sealed: string, context: string) => string;
  readonly keyId: string;
}

interface KeyringKey {
  readonly id: Buffer;
  readonly key: Buffer;
}

/**
 * Creates a sealer for one purpose. `context` identifies the object that the value belongs to. The context is
 * authenticated, so a value cannot be moved to another object.
 */
export function createSealer(secretKeys: readonly string[], purpose: string): Sealer {
  const keyring = secretKeys.map((hex) => deriveKeyringKey(hex, purpose));
  const [first] = keyring;
  if (first === undefined) throw new Error('a keyring needs at least one key');
  const writer = first;

  function seal(plain: Buffer, context: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', writer.key, nonce);
    cipher.setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([Buffer.from([VERSION]), writer.id, nonce, cipher.getAuthTag(), body]);
  }

  function open(sealed: Buffer, context: string): Buffer {
    if (sealed.length < HEADER_BYTES || sealed[0] !== VERSION)
      throw new Error('not a sealed value');
    const id = sealed.subarray(1, 5);
    const entry = keyring.find((candidate) => candidate.id.equals(id));
    if (entry === undefined) throw new Error('sealed with a key that is not in the keyring');
    const nonce = sealed.subarray(5, 5 + NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', entry.key, nonce);
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(sealed.subarray(5 + NONCE_BYTES, HEADER_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES)), decipher.final()]);
  }

  return { seal, open, keyId: writer.id.toString('hex') };
}

export function createTextSealer(secretKeys: readonly string[], purpose: string): TextSealer {
  const { seal, open, keyId } = createSealer(secretKeys, purpose);
  return {
    seal: (plain, context) => seal(Buffer.from(plain), context).toString('base64url'),
    open: (sealed, context) => open(Buffer.from(sealed, 'base64url'), context).toString(),
    keyId,
  };
}

/** Returns the id of the key that encrypted a text. Empty if the text is too short to be encrypted. */
export function readKeyId(sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  return bytes.length < HEADER_BYTES ? '' : bytes.toString('hex', 1, 5);
}

/**
 * Derives the keyring of one region, which reveals nothing about the keys of other regions. Each rotation puts new keys
 * at the start. Older keys can still decrypt the values that they encrypted.
 */
export function deriveRegionKeys(
  secretKeys: readonly string[],
  region: string,
  rotations = 0,
): readonly string[] {
  const purposes = Array.from({ length: rotations }, (_, index) => `region:${region}:${index + 1}`);
  return [`region:${region}`, ...purposes]
    .toReversed()
    .flatMap((purpose) => secretKeys.map((hex) => derive(hex, purpose).toString('hex')));
}

/**
 * Derives the secrets for probes that run next to the API: one secret for each key of the keyring. Probes use the first
 * secret, and the API accepts all of them.
 */
export function deriveLocalProbeSecrets(
  secretKeys: readonly string[],
  region: string,
): readonly string[] {
  return secretKeys.map((hex) => derive(hex, `local-probe:${region}`).toString('hex'));
}

/** Returns the bearer token of a probe with this secret. */
export function deriveProbeToken(secret: string): string {
  return derive(secret, 'probe-token').toString('base64url');
}

/** True if `given` is one of the accepted tokens. The comparison takes constant time. */
export function isAcceptedToken(given: string, accepted: readonly string[]): boolean {
  const digest = createHash('sha256').update(given).digest();
  const matches = accepted.filter((token) =>
    timingSafeEqual(digest, createHash('sha256').update(token).digest()),
  );
  return matches.length > 0;
}

function deriveKeyringKey(hex: string, purpose: string): KeyringKey {
  const id = createHash('sha256').update(`key-id:${hex}`).digest().subarray(0, 4);
  return { id, key: derive(hex, `seal:${purpose}`) };
}

function derive(hex: string, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(hex, 'hex'), 'keepwatch', info, 32));
}

/** Decrypts. null if the text cannot be decrypted with this sealer and context. */
export function openOrNull(sealer: TextSealer, sealed: string, context: string): string | null {
  try {
    return sealer.open(sealed, context);
  } catch {
    return null;
  }
}
