/**
 * What an outcome says of a certificate, or of a registration. Outcomes from before registrations were facts of their own have
 * theirs among those of TLS: a version, which each handshake has, is missing there. Pure.
 */
import type { RegistrationFacts, StepOutcome, TlsFacts } from '../../contracts/outcome';

/** null: no certificate was met. */
export function certificateIn({ tls }: Pick<StepOutcome, 'tls'>): TlsFacts | null {
  return tls === null || tls.version === null ? null : tls;
}

/** null: nothing was learned of a registration. */
export function registrationIn({
  registration,
  tls,
}: Pick<StepOutcome, 'registration' | 'tls'>): RegistrationFacts | null {
  if (registration !== undefined) return registration;
  const { domain, issuer: registrar = null, expiresAt = null, fingerprint = '' } = tls ?? {};
  if (domain === undefined || expiresAt === null) return null;
  return { domain, registrar, expiresAt, fingerprint };
}
