/** Finds the expiry warnings that are due: one for each certificate and threshold. Pure. */
import type {
  CertificateThreshold,
  SeenCertificate,
  WarnedCertificate,
} from '../../contracts/certificates';

const DAY_MS = 86_400_000;

/** How many certificates are remembered. A scenario uses fewer in practice, even with many steps and regions. */
export const WARNED_MAX = 100;

/** A certificate is forgotten this long after its expiry. */
const FORGOTTEN_AFTER_MS = 30 * DAY_MS;

export interface CertificateWarning {
  readonly certificate: SeenCertificate;
  /** The threshold that was reached, in days before the expiry. */
  readonly thresholdDays: number;
}

interface Slot {
  readonly atMs: number;
  /** True if nothing may be sent now. No warning then counts as sent. */
  readonly isMuted: boolean;
}

/** Returns the smallest threshold in days that has been reached. null if there is none. */
export function findThreshold(
  expiresAtMs: number,
  warnDays: readonly number[],
  nowMs: number,
): number | null {
  return findReachedThreshold(listThresholds([{ expiresAtMs, warnDays }]), nowMs);
}

/** Returns all thresholds of the certificates, each with the time at which a certificate first reaches it. */
export function listThresholds(
  seen: readonly Pick<SeenCertificate, 'expiresAtMs' | 'warnDays'>[],
): readonly CertificateThreshold[] {
  const firstMs = new Map<number, number>();
  for (const { expiresAtMs, warnDays } of seen)
    for (const days of warnDays) {
      const atMs = expiresAtMs - days * DAY_MS;
      firstMs.set(days, Math.min(atMs, firstMs.get(days) ?? atMs));
    }
  return [...firstMs].map(([days, atMs]) => ({ days, atMs }));
}

/** Like `findThreshold`, but for thresholds whose instants are already computed. */
export function findReachedThreshold(
  thresholds: readonly CertificateThreshold[],
  nowMs: number,
): number | null {
  const reached = thresholds.filter(({ atMs }) => atMs <= nowMs);
  return reached.length === 0 ? null : Math.min(...reached.map(({ days }) => days));
}

/** Returns when the next threshold is reached. null means that none is left. */
export function nextThresholdMs(
  expiresAtMs: number,
  warnDays: readonly number[],
  nowMs: number,
): number | null {
  const ahead = listThresholds([{ expiresAtMs, warnDays }]).filter(({ atMs }) => atMs > nowMs);
  return ahead.length === 0 ? null : Math.min(...ahead.map(({ atMs }) => atMs));
}

/**
 * Returns the due warnings, and the list of warned certificates including the new warnings. If regions see different
 * certificates in the same step, only the certificate that expires first counts. Client certificates are compared
 * separately. A renewed certificate counts as a new certificate.
 */
export function nextWarnings(
  before: readonly WarnedCertificate[],
  seen: readonly SeenCertificate[],
  { atMs, isMuted }: Slot,
): {
  readonly warned: readonly WarnedCertificate[];
  readonly due: readonly CertificateWarning[];
} {
  const known = before.filter(({ expiresAtMs }) => expiresAtMs > atMs - FORGOTTEN_AFTER_MS);
  if (isMuted) return { warned: known, due: [] };
  const warned = new Map(known.map((one) => [one.fingerprint, one]));
  const due: CertificateWarning[] = [];
  for (const certificate of earliestOfEachStep(seen)) {
    const { fingerprint, expiresAtMs, warnDays } = certificate;
    const thresholdDays = findThreshold(expiresAtMs, warnDays, atMs);
    const earlier = warned.get(fingerprint)?.rungDays ?? Number.POSITIVE_INFINITY;
    if (thresholdDays === null || thresholdDays >= earlier) continue;
    warned.set(fingerprint, { fingerprint, expiresAtMs, rungDays: thresholdDays });
    due.push({ certificate, thresholdDays });
  }
  return { warned: [...warned.values()].slice(-WARNED_MAX), due };
}

function earliestOfEachStep(seen: readonly SeenCertificate[]): readonly SeenCertificate[] {
  const earliest = new Map<string, SeenCertificate>();
  for (const certificate of seen) {
    const { step, client = false } = certificate;
    const source = JSON.stringify([step, client]);
    const other = earliest.get(source);
    if (other === undefined || certificate.expiresAtMs < other.expiresAtMs)
      earliest.set(source, certificate);
  }
  return [...earliest.values()];
}
