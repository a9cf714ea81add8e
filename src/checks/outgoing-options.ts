/** What holds for every request that leaves the service, be it a check or an alert. */
import type { ProxyServer } from '../contracts/definitions/proxy';
import type { ResolveHost } from './resolve-host';
import type { TargetRules } from './target-guard';

export interface OutgoingOptions extends TargetRules {
  /** PEM certificates of authorities that are trusted beside the well-known ones. */
  readonly extraAuthorities?: readonly string[];
  /** Those that a definition may name; alerts go through none. */
  readonly proxies?: readonly ProxyServer[];
  /** Looks names up; c-ares with the machine's name servers by default. */
  readonly resolveHost?: ResolveHost;
}
