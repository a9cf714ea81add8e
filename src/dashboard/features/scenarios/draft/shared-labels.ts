/** Labels of the settings that steps take from their scenario. Pure. */
import { AUTH_WORDS } from '../../../shared/auth/auth-draft';
import { TRUST_WORDS, tlsFields } from '../../../shared/tls/tls-draft';
import type { Draft } from './draft';

export interface SharedLabels {
  /** The option to use the scenario's authentication. null if the scenario has none. */
  readonly auth: string | null;
  /** The option to use the TLS settings of the scenario. null if the scenario has none. */
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
