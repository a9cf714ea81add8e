/** Labels what steps use of their scenario if they set nothing themselves. Pure. */
import { AUTH_WORDS } from '../../../shared/auth/auth-draft';
import { TRUST_WORDS, tlsFields } from '../../../shared/tls/tls-draft';
import type { Draft } from './draft';

export interface SharedLabels {
  /** The choice to use the scenario's authentication. null if the scenario has none. */
  readonly auth: string | null;
  /** The choice to trust what the scenario trusts. null if the scenario has no TLS settings. */
  readonly trust: string | null;
}

/** Returns labels like `Use the scenario’s authentication: Token (bearer)`. */
export function labelShared({ auth, tls }: Pick<Draft, 'auth' | 'tls'>): SharedLabels {
  const hasAuth = auth.type !== null && auth.type !== 'none';
  const hasTls = Object.keys(tlsFields(tls)).length > 0;
  return {
    auth: hasAuth ? `Use the scenario’s authentication: ${AUTH_WORDS[auth.type].label}` : null,
    trust: hasTls ? `Use the scenario’s choice: ${TRUST_WORDS[tls.trust ?? 'system']}` : null,
  };
}
