/**
 * What an outcome says of a certificate, or of a registration. Outcomes from before registrations were facts of their own have
 * theirs among those of TLS: a version, which each handshake has, is missing there. Pure.
 */
import type { RegistrationFacts, StepOutcome, TlsFacts } from '../../contracts/outcome';

type FormerFacts = TlsFacts & { readonly domain?: string | undefined };

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
  const former: FormerFacts | null = tls;
  const { domain, issuer: registrar = null, expiresAt = null, fingerprint = '' } = former ?? {};
  if (domain === undefined || expiresAt === null) return null;
  return { domain, registrar, expiresAt, fingerprint };
}
