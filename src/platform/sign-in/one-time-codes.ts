/** One-time codes of authenticator apps (RFC 6238): six digits, SHA-1, 30 seconds. */
import { Secret, TOTP } from 'otpauth';

const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
const ISSUER = 'Keepwatch';
/**
 * How many time steps before and after the current step are accepted. The clock of an app may differ from ours (RFC
 * 6238 §5.2).
 */
const STEPS_AROUND = 1;

/** Creates a new secret in base 32. */
export function createCodeSecret(randomBytes: (count: number) => Buffer): string {
  const bytes = randomBytes(SECRET_BYTES);
  return new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32;
}

/** Returns the URI that authenticator apps read from a QR code. */
export function formatCodeUri(secret: string, email: string): string {
  return createTotp(secret, email).toString();
}

/** Returns the number of the time step to which the code belongs. null if this is none of the accepted steps. */
export function findCodeStep(secret: string, code: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const totp = createTotp(secret, '');
  const delta = totp.validate({ token: code, timestamp: nowMs, window: STEPS_AROUND });
  return delta === null ? null : totp.counter({ timestamp: nowMs }) + delta;
}

function createTotp(secret: string, label: string): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret, period: PERIOD_SECONDS });
}
