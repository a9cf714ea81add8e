/**
 * Reads the facts about a certificate or a domain registration from an outcome. Older outcomes have the facts of a
 * registration among the TLS facts. Pure.
 */
import type { RegistrationFacts, StepOutcome, TlsFacts } from '../../contracts/outcome';

type FormerFacts = TlsFacts & { readonly domain?: string | undefined };

/** Returns the facts about the certificate. null means that the check saw no certificate. */
export function findCertificate({ tls }: Pick<StepOutcome, 'tls'>): TlsFacts | null {
  return tls === null || tls.version === null ? null : tls;
}

/** Returns the facts about the registration. null means that the check read no registration. */
export function findRegistration({
  registration,
  tls,
}: Pick<StepOutcome, 'registration' | 'tls'>): RegistrationFacts | null {
  if (registration !== undefined) return registration;
  const former: FormerFacts | null = tls;
  const { domain, issuer: registrar = null, expiresAt = null, fingerprint = '' } = former ?? {};
  if (domain === undefined || expiresAt === null) return null;
  return { domain, registrar, expiresAt, fingerprint };
}
