/** Options for every request that leaves the service: requests of checks and of alerts. */
import type { ProxyServer } from '../contracts/definitions/proxy';
import type { ResolveHost } from './resolve-host';
import type { TargetRules } from './target-guard';

export interface OutgoingOptions extends TargetRules {
  /** PEM certificates of authorities that are trusted in addition to the public ones. */
  readonly extraAuthorities?: readonly string[];
  /** The proxies that a definition may name. Alerts use no proxy. */
  readonly proxies?: readonly ProxyServer[];
  /** Looks up names. By default, c-ares asks the machine's name servers. */
  readonly resolveHost?: ResolveHost;
}
