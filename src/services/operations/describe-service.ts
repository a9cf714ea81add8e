/** Describes the components of this installation, for owners. */

import type { ServiceFacts } from '../../schemas/responses/operator';
import type { Principal } from '../accounts/principal';
import type { Dependencies } from '../ports/dependencies';
import { describeWatchdog } from './watchdog/describe-watchdog';

const TEMPORAL_DEADLINE_MS = 1_500;

type Needs = Pick<Dependencies, 'stores' | 'installation' | 'clock' | 'watchdog' | 'publicUrl'> & {
  readonly gateway: Pick<Dependencies['gateway'], 'describe'>;
};

/** Returns the components. Returns null for API keys, and for people who are not owners. */
export async function describeService(
  needs: Needs,
  { accountId, actor }: Principal,
): Promise<ServiceFacts | null> {
  const { stores, installation, gateway } = needs;
  const user = actor.type === 'user' ? await stores.users.find(accountId, actor.id) : null;
  if (user?.role !== 'owner') return null;
  const { version, nodeVersion, temporalAddress, dataFolder, describeDatabase } = installation;
  const [database, temporal, watchdog] = await Promise.all([
    describeDatabase().catch(() => null),
    gateway.describe(TEMPORAL_DEADLINE_MS).catch(() => null),
    describeWatchdog(needs),
  ]);
  return {
    version,
    nodeVersion,
    temporalAddress,
    publicUrl: needs.publicUrl,
    dataFolder,
    database: database && {
      kind: database.isEmbedded ? 'embedded' : 'mongodb',
      version: database.version,
    },
    temporal,
    watchdog,
  };
}
