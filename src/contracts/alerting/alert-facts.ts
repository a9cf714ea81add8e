/** Facts that alerts show: results, people who responded, and the entries of digests. Instants are milliseconds. */
import type { AlertExchange } from '../outcome';
import type { AlertKind } from './alert-kinds';
import type { SubjectType } from './identity-providers';

/** A passing result as alerts show it next to the failing result; secrets are masked. */
export interface LastPassing extends Pick<AlertExchange, 'status' | 'body'> {
  readonly atMs: number;
  readonly responseTimeMs: number | null;
}

/** The request and the response of a check that passed; secrets are masked. */
export interface PassingCheck extends Pick<AlertExchange, 'method' | 'url' | 'status'> {
  readonly responseTimeMs: number | null;
}

/** The person who acknowledged an incident. */
export interface Responder {
  readonly by: string;
  readonly atMs: number;
}

/** A recipient that got an earlier alert of the same incident. */
export interface EarlierNotification {
  /** The name of the channel, or the masked address of a recipient without a channel. */
  readonly name: string;
  readonly atMs: number;
}

/** Other resources that are down because this resource is down. */
export interface ExplainedOthers {
  readonly count: number;
  /** The names of the first few of the resources that are down. */
  readonly names: readonly string[];
}

/** An alert in a digest. Older digests lack the optional fields. */
export interface DigestEntry {
  readonly kind: AlertKind;
  readonly resourceType?: SubjectType;
  readonly resourceId?: string;
  readonly resourceName: string;
  readonly incidentId: string | null;
  /** When the reported state began. For a certificate, the time when the certificate expires. */
  readonly atMs: number;
  /** The reason in a few words. Absent if it is unknown, and in the later entries of a large digest. */
  readonly reason?: string;
  /** The registered domain, if the entry warns of the expiry of a registration. */
  readonly domain?: string;
}
