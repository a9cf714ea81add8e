/** Types for identity providers that give no access tokens, in checks and incidents. */
import type { ResourceKind } from '../definition';
import type { SignInFault } from '../outcome';

/** The subject of an incident: a check, or an identity provider. */
export type SubjectType = ResourceKind | 'identityProvider';

/** A check that cannot sign in from one region, with its first and last failing slot. */
export interface SignInFailure extends SignInFault {
  readonly accountId: string;
  readonly resourceType: ResourceKind;
  readonly resourceId: string;
  readonly region: string;
  /** The revision of the definition that failed last. */
  readonly revision: number;
  /** One sentence for people. */
  readonly message: string;
  readonly firstSlotMs: number;
  readonly lastSlotMs: number;
}

export interface BlockedCheck {
  readonly resourceType: ResourceKind;
  readonly resourceId: string;
  readonly resourceName: string;
}

/** The identity provider that an incident is about. */
export interface ProviderFacts extends SignInFault {
  /** The number of checks that could not sign in during the incident. */
  readonly checkCount: number;
  /** The first few of the checks that could not sign in. */
  readonly checks: readonly BlockedCheck[];
  /**
   * `unused` means that no check signs in at the provider any more. `refused` means that the provider responds again,
   * but refuses the credentials. Absent if the incident is open or ended with a recovery.
   */
  readonly ended?: 'unused' | 'refused';
}

/** One outage of a provider, or one period in which the provider refused credentials. */
export interface ProviderEpisode extends ProviderFacts {
  readonly incidentId: string;
  readonly openedAtMs: number;
  readonly closedAtMs: number | null;
  readonly message: string;
  readonly regions: readonly string[];
  /**
   * When a check could sign in again. The episode stays open until the provider is stable. Absent if no check could
   * sign in since the last failure.
   */
  readonly provenAtMs?: number;
  /** True means that at `provenAtMs`, the provider responded but refused the credentials. */
  readonly isOnlyRefused?: true;
  /** Identifies the contacts and policy steps that the episode notifies. Empty means that it notifies no one. */
  readonly planned: readonly string[];
}

/** The health of one identity provider for one account. */
export interface ProviderState {
  /** The current or last episode. null means that there was none. */
  readonly episode: ProviderEpisode | null;
  /** When the episodes of the last hour began. */
  readonly openingsMs: readonly number[];
  /** The latest slot in which a check could not sign in. */
  readonly lastFailedMs: number;
}

export function readProviderHost(tokenUrl: string): string {
  return URL.canParse(tokenUrl) ? new URL(tokenUrl).host : tokenUrl;
}
