/**
 * Opens the dashboard on the whole service, for tests that need real workflows. All suites of a test run share this
 * service, and each suite has its own account.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { createIdMaker } from '../../../src/domain/definitions/ids';
import { createStores } from '../../../src/models';
import { argon2Passwords } from '../../../src/platform/passwords';
import { personOf } from '../../api/people';
import { fromHook } from '../../support/from-hook';
import { openSharedService } from '../../support/shared-service';
import { openVisits, type VisitedService } from './dashboard';

const ACCOUNT = z.object({ id: z.string() });

interface SharedDashboard extends VisitedService {
  /** Resolves to the complete emails that the address has received. */
  readonly mailsTo: (address: string) => Promise<readonly string[]>;
}

async function openSharedDashboard(): Promise<SharedDashboard> {
  const shared = await openSharedService();
  const { api, apiKey } = await shared.newAccount();
  const account = await api.call(
    { method: 'GET', path: '/v1/account' },
    { status: 200, shape: ACCOUNT },
  );
  const services = {
    stores: createStores(shared.database),
    clock: { now: () => Date.now() },
    newId: createIdMaker(() => Date.now(), randomBytes),
    randomBytes,
    passwords: argon2Passwords,
  };
  const { cookie, email } = await personOf({ services }, account.id, 'owner');
  const session = cookie.split('=')[1] ?? '';
  const visited = await openVisits(shared.url, { apiKey, email, session });
  return {
    ...visited,
    mailsTo: shared.mailsTo,
    async close() {
      await visited.close();
      await shared.close();
    },
  };
}

/** Opens a dashboard before the tests of a suite, and closes it after them. */
export function suiteSharedDashboard(): SharedDashboard {
  const dashboard = fromHook(beforeAll, openSharedDashboard);
  afterAll(() => dashboard.close());
  return dashboard;
}
