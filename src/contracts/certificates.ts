/** Certificates as checks see them, and warnings about their expiry. Nothing here is secret. */

/** Default of how many days before the expiry people are warned. */
export const DEFAULT_WARN_DAYS: readonly number[] = [14, 3];

/** The identity of a certificate, and when it expires. */
export interface CertificateFacts {
  /** SHA-256 of the certificate, in lower-case hex. */
  readonly fingerprint: string;
  readonly issuer: string | null;
  readonly expiresAtMs: number;
  /** The registered domain. Set if the facts are about a domain registration and not about a certificate. */
  readonly domain?: string;
  /** Set if the certificate is the client certificate that the request presents. */
  readonly client?: true;
  /** The host to which the request was sent. Absent in older facts, and for the registration of a domain. */
  readonly host?: string;
}

/** A certificate that a step saw in one region. */
export interface SeenCertificate extends CertificateFacts {
  /** The name of the scenario's step. null for a monitor. */
  readonly step: string | null;
  readonly region: string;
  /** How many days before the expiry people are warned, largest first. Empty if no one is warned. */
  readonly warnDays: readonly number[];
}

/**
 * A certificate that people were warned of. `rungDays` is the smallest threshold that was announced, in days before the
 * expiry.
 */
export interface WarnedCertificate {
  readonly fingerprint: string;
  readonly expiresAtMs: number;
  readonly rungDays: number;
}

/** A warning threshold in days before an expiry, and when it is reached. */
export interface CertificateThreshold {
  readonly days: number;
  readonly atMs: number;
}

/** The certificate that an alert of kind `certificate` is about. */
export interface ExpiringCertificate extends CertificateFacts {
  readonly step: string | null;
  readonly rungDays: number;
}
