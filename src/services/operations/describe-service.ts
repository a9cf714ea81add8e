/** What this installation is made of, for its owners. It reads nothing that belongs to an account. */

import type { Principal } from '../accounts/principal';
import type { Dependencies } from '../ports/dependencies';
import type { TemporalFacts } from '../ports/gateway';
import type { Installation } from '../ports/installation';

const ENGINE_DEADLINE_MS = 1_500;

export interface ServiceFacts extends Pick<Installation, 'version' | 'nodeVersion' | 'dataFolder'> {
  /** null while it does not answer. */
  readonly database: { readonly kind: 'embedded' | 'mongodb'; readonly version: string } | null;
  /** null while it does not answer. */
  readonly temporal: TemporalFacts | null;
}

type Needs = Pick<Dependencies, 'stores' | 'installation'> & {
  readonly gateway: Pick<Dependencies['gateway'], 'describe'>;
};

/** null for everybody who is not an owner; an API key is none. */
export async function describeService(
  { stores, installation, gateway }: Needs,
  { accountId, actor }: Principal,
): Promise<ServiceFacts | null> {
  const user = actor.type === 'user' ? await stores.users.find(accountId, actor.id) : null;
  if (user?.role !== 'owner') return null;
  const { version, nodeVersion, dataFolder, describeDatabase } = installation;
  const [database, temporal] = await Promise.all([
    describeDatabase().catch(() => null),
    gateway.describe(ENGINE_DEADLINE_MS).catch(() => null),
  ]);
  return {
    version,
    nodeVersion,
    dataFolder,
    database: database && {
      kind: database.isEmbedded ? 'embedded' : 'mongodb',
      version: database.version,
    },
    temporal,
  };
}
