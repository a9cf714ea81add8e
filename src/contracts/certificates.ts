/** Certificates as checks see them, and warnings about them. Nothing here is secret. */

/** How many days before the expiry people are warned if the definition does not say. */
export const DEFAULT_WARN_DAYS: readonly number[] = [14, 3];

/** The identity of a certificate, and when it expires. */
export interface CertificateFacts {
  /** SHA-256 of the certificate, in lower-case hex. */
  readonly fingerprint: string;
  readonly issuer: string | null;
  readonly expiresAtMs: number;
  /** Set: the registration of this domain, not a certificate. */
  readonly domain?: string;
  /** Set: the request presents this certificate as its client certificate. */
  readonly client?: true;
}

/** A certificate that a step saw in one region. */
export interface SeenCertificate extends CertificateFacts {
  /** The name of the scenario's step; null for a monitor. */
  readonly step: string | null;
  readonly region: string;
  /** Largest first. Empty if there are no warnings. */
  readonly warnDays: readonly number[];
}

/** A certificate that people were warned of, and the lowest threshold so far (days before its expiry). */
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
