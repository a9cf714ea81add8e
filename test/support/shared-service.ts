/**
 * The single whole service of the run: API, orchestrator and a probe in each of two regions. A
 * suite works in its own accounts and must not kill, stop or reconfigure a process.
 */
import { z } from 'zod';
import { connectDatabase, type Database } from '../../src/models';
import { createLogger } from '../../src/platform/logger';
import { type ApiClient, createApiClient } from './api-client';
import { addAccount } from './further-account';
import { readShared } from './read-shared';
import type { SharedServiceAddress } from './shared-servers';
import { waitUntil } from './wait-until';

const ADDRESS: z.ZodType<SharedServiceAddress> = z.object({
  url: z.string(),
  suite: z.string(),
  mongodbUri: z.string(),
  temporalAddress: z.string(),
  secretKey: z.string(),
  regions: z.array(z.string()),
  ciIssuer: z.string(),
  certificates: z.array(z.object({ days: z.number(), cert: z.string(), key: z.string() })),
});
const TEXTS = z.array(z.string());

export interface SharedAccount {
  readonly accountId: string;
  /** A key with the scope admin. */
  readonly apiKey: string;
  readonly api: ApiClient;
}

export interface SharedService extends SharedServiceAddress {
  readonly database: Database;
  readonly newAccount: (name?: string) => Promise<SharedAccount>;
  /** The complete emails to the address, as received. */
  readonly mailsTo: (address: string) => Promise<readonly string[]>;
  /** The next email to the address is refused with 450. */
  readonly refuseNextMailTo: (address: string) => Promise<void>;
  /** An ID token with these claims, as `ciIssuer` signs it. */
  readonly signIdToken: (claims: object) => Promise<string>;
  /** The output of each process so far. */
  readonly readLogs: () => Promise<readonly string[]>;
  /**
   * Pauses all checks of this suite's accounts, because the service would run them until the end of the test run.
   * Closes what the suite has opened.
   */
  readonly close: () => Promise<void>;
}

export async function openSharedService(): Promise<SharedService> {
  const address = await readShared('/service', ADDRESS);
  const database = await connectDatabase(address.mongodbUri, {
    logger: createLogger('test', 'silent'),
  });
  const accounts: SharedAccount[] = [];
  return {
    ...address,
    database,
    newAccount: async (name = 'Test account') => {
      const added = await addAccount(database, name);
      const account = { ...added, api: createApiClient(address.url, added.apiKey) };
      accounts.push(account);
      return account;
    },
    mailsTo: (to) => readShared(`/service/mails?${new URLSearchParams({ to }).toString()}`, TEXTS),
    refuseNextMailTo: async (to) => {
      await readShared(
        `/service/refuse-next-mail?${new URLSearchParams({ to }).toString()}`,
        TEXTS,
      );
    },
    signIdToken: async (claims) => {
      const given = new URLSearchParams({ claims: JSON.stringify(claims) });
      const [token = ''] = await readShared(`/service/id-token?${given.toString()}`, TEXTS);
      return token;
    },
    readLogs: () => readShared('/service/logs', TEXTS),
    close: async () => {
      await Promise.all(accounts.map(pauseChecks));
      await database.close();
    },
  };
}

async function pauseChecks({ api }: SharedAccount): Promise<void> {
  const body = { action: 'pause', filter: { state: 'active' } };
  const request = { method: 'POST', path: '/v1/checks/bulk', body };
  // The service may close an idle connection in the moment in which it is used again.
  await waitUntil('the checks are paused', async () => {
    await api.call(request, { status: 200, shape: z.unknown() });
    return true;
  });
}
