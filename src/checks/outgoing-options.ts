/** What holds for every request that leaves the service, be it a check or an alert. */
import type { ResolveHost } from './resolve-host';
import type { TargetRules } from './target-guard';

export interface OutgoingOptions extends TargetRules {
  /** PEM certificates of authorities that are trusted beside the well-known ones. */
  readonly extraAuthorities?: readonly string[];
  /** Looks names up; c-ares with the machine's name servers by default. */
  readonly resolveHost?: ResolveHost;
}
