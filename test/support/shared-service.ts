/**
 * Connects to the single whole service of the run: API, orchestrator and a probe in each of two regions. A suite works
 * in its own accounts and must not kill, stop or reconfigure a process.
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
  /** An API key with the scope `admin`. */
  readonly apiKey: string;
  readonly api: ApiClient;
}

export interface SharedService extends SharedServiceAddress {
  readonly database: Database;
  readonly newAccount: (name?: string) => Promise<SharedAccount>;
  /** Resolves to the complete emails that the address has received. */
  readonly mailsTo: (address: string) => Promise<readonly string[]>;
  /** Makes the server refuse the next email to the address with 450. */
  readonly refuseNextMailTo: (address: string) => Promise<void>;
  /** Resolves to an ID token with these claims. `ciIssuer` signs it. */
  readonly signIdToken: (claims: object) => Promise<string>;
  /** Resolves to the output of each process so far. */
  readonly readLogs: () => Promise<readonly string[]>;
  /**
   * Pauses all checks of this suite's accounts, because the service would run them until the end of the test run. Also
   * closes everything that the suite has opened.
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
  // Repeats the request, because the service may close an idle connection at the moment at which it is used again.
  await waitUntil('the checks are paused', async () => {
    await api.call(request, { status: 200, shape: z.unknown() });
    return true;
  });
}
