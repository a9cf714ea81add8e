/**
 * Starts the real application on a real database. A fake gateway records the calls to Temporal. Each caller gets
 * separate accounts.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Express } from 'express';
import request from 'supertest';
import { type AppOptions, createApp } from '../../src/api/create-app';
import { ROUTES } from '../../src/api/v1/route-table';
import { RUN_VALUE_PURPOSE, STORED_SECRET_PURPOSE } from '../../src/contracts/seal-contexts';
import { GITHUB_ISSUER, GITLAB_ISSUER } from '../../src/domain/accounts/pipeline-claims';
import type { Scope } from '../../src/domain/accounts/roles';
import { createIdMaker } from '../../src/domain/definitions/ids';
import { createRecordWrites, createStores, describeServer } from '../../src/models';
import { createLogger } from '../../src/platform/logger';

import { createRegionKeyrings } from '../../src/platform/region-keyrings';
import { createTextSealer } from '../../src/platform/sealing';
import { createPasskeys } from '../../src/platform/sign-in/passkeys';
import { hashToken, newApiKey, readVisibleParts } from '../../src/services/accounts/api-key-format';
import { createChangeFeed } from '../../src/services/live/change-feed';
import { createRunWatch } from '../../src/services/live/run-watch';
import type { Dependencies } from '../../src/services/ports/dependencies';
import { readRotations } from '../../src/services/regions/rotate-region-key';
import { type CheckRecorder, createCheckRecorder } from '../../src/services/results/record-check';
import { createTextPool } from '../../src/text/text-pool';
import { openTestDatabase, type TestDatabase } from '../models/test-database';
import { createFakeGateway, type FakeGateway } from '../services/fake-gateway';
import { cheapPasswords } from '../support/cheap-passwords';
import { fromHook } from '../support/from-hook';
import { watchAnswers } from './routing/documented-responses';

export const SETUP_TOKEN = 'set-up-token-of-the-tests';
export const SECRET_KEY = 'ab'.repeat(32);
export const METRICS_TOKEN = 'metrics-token-of-the-tests';
export const PUBLIC_URL = 'http://keepwatch.test';
/**
 * Limits on concurrent requests. They are generous, because a busy test machine does not mean that the service is
 * overloaded.
 */
const PATIENT = { atOnce: 100, waitingMax: 10_000, waitMaxMs: 60_000 };
const DASHBOARD_FOLDER = join(__dirname, '..', '..', 'dist', 'dashboard');

export interface TestService {
  /** A server on a local port, so that requests share connections. */
  readonly app: Server;
  readonly url: string;
  /**
   * Creates another application on the same database, with some dependencies replaced. It stands for another API
   * process.
   */
  readonly appWith: (
    overrides: Partial<Dependencies>,
    options?: Pick<AppOptions, 'requestDeadlineMs' | 'loadBounds' | 'copies'>,
  ) => Express;
  readonly services: Dependencies;
  readonly recorder: CheckRecorder;
  readonly gateway: FakeGateway;
  readonly database: TestDatabase;
  /** The clock of the service, which tests may move. */
  readonly clock: { nowMs: number };
  /** Creates an account and an API key for it. */
  readonly newAccount: () => Promise<TestAccount>;
  readonly close: () => Promise<void>;
}

export interface TestAccount {
  readonly id: string;
  /** An API key with the scope `admin`. */
  readonly key: string;
  readonly newKey: (options?: KeyOptions) => Promise<string>;
}

interface KeyOptions {
  readonly scopes?: readonly Scope[];
  readonly expiresAtMs?: number;
  readonly revokedAtMs?: number;
}

interface TestServiceOptions {
  readonly trustedProxies?: number;
  /**
   * Deadline of a request in milliseconds. The default is generous, because a busy test machine does not mean that the
   * service is down.
   */
  readonly requestDeadlineMs?: number;
  /** If true, the service serves the built pages under its own URL and uses a real clock. */
  readonly isForBrowsers?: boolean;
}

export async function openTestService(
  overrides: Partial<Dependencies> = {},
  {
    trustedProxies = 0,
    requestDeadlineMs = 60_000,
    isForBrowsers = false,
  }: TestServiceOptions = {},
): Promise<TestService> {
  const database = await openTestDatabase();
  const gateway = createFakeGateway();
  const clock = isForBrowsers ? passingClock() : { nowMs: Date.now() };
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const publicUrl = isForBrowsers ? url : PUBLIC_URL;
  const newId = createIdMaker(() => clock.nowMs, randomBytes);
  const stores = createStores(database.database, { now: () => clock.nowMs });
  const pass = (ms: number): Promise<void> => setTimeout(ms, undefined, { ref: false });
  const skip = async (ms: number): Promise<void> => {
    clock.nowMs += Math.ceil(ms);
  };
  const sleep = isForBrowsers ? pass : skip;
  const changeFeed = createChangeFeed({
    changes: stores.changes,
    clock: { now: () => clock.nowMs },
    sleep: pass,
    onTrouble: () => undefined,
  });
  const regionKeyrings = createRegionKeyrings({
    secretKeys: [SECRET_KEY],
    readRotations: () => readRotations(stores.regionKeys),
    steadyNow: () => performance.now(),
  });
  const texts = createTextPool();
  const services: Dependencies = {
    stores,
    gateway,
    clock: { now: () => clock.nowMs },
    newId,
    randomBytes,
    passwords: cheapPasswords,
    sealers: {
      stored: createTextSealer([SECRET_KEY], STORED_SECRET_PURPOSE),
      runIn: (region) => createTextSealer(regionKeyrings.readKeys(region), RUN_VALUE_PURPOSE),
    },
    regionKeyrings: regionKeyrings,
    runTextJob: texts.run,
    setupToken: SETUP_TOKEN,
    installation: {
      version: '0.0.0',
      nodeVersion: process.versions.node,
      temporalAddress: '127.0.0.1:7233',
      dataFolder: '/data',
      readFreeBytes: async () => 2 ** 40,
      describeDatabase: () => describeServer(database.database),
    },
    publicUrl,
    watchdog: null,
    mailer: null,
    notifyOperator: () => undefined,
    // Keys are not limited, because the clock of the service is stopped and a minute would never end.
    areKeysLimited: false,
    defaultPlan: 'business',
    operatorEmails: [],
    registration: 'off',
    configuredRegions: ['eu-west', 'us-east'],
    proxyNames: ['corp', 'dmz'],
    pipelineIssuers: [GITHUB_ISSUER, GITLAB_ISSUER],
    // Refuses every ID token, because tests never send requests to other machines.
    readIdentityToken: async () => ({ kind: 'refused', reason: 'no issuer is asked' }),
    signIn: { passwords: 'on', providers: [], passkeys: createPasskeys(publicUrl) },
    findBlockedTarget: (url) =>
      url.includes('169.254.') ? 'is an address that checks must not reach' : null,
    workflowUrl: (workflowId) => `http://ui.test/${workflowId}`,
    changeFeed,
    runWatch: createRunWatch({ runs: stores.runs, clock: { now: () => clock.nowMs }, sleep }),
    sleep,
    ...overrides,
  };
  const options = {
    logger: createLogger('test', 'silent'),
    newRequestId: () => newId('request'),
    readReadiness: async () => ({ isReady: true, dependencies: {} }),
    publicUrl,
    secretKeys: [SECRET_KEY],
    metricsToken: METRICS_TOKEN,
    requestDeadlineMs,
    loadBounds: { pings: PATIENT, requests: PATIENT },
    trustedProxies,
    ...(isForBrowsers ? { dashboardFolder: DASHBOARD_FOLDER } : {}),
  };
  const { app, undocumented } = watchAnswers(createApp(options, services), ROUTES);
  server.on('request', app);
  return {
    app: server,
    url,
    appWith: (others, changed = {}) =>
      createApp({ ...options, ...changed }, { ...services, ...others }),
    services,
    recorder: createCheckRecorder(
      createRecordWrites(database.database, { now: () => clock.nowMs }),
    ),
    gateway,
    database,
    clock,
    newAccount: () => newAccount(services, database),
    close: async () => {
      changeFeed.close();
      await texts.close();
      server.closeAllConnections();
      server.close();
      await database.close();
      expect([...new Set(undocumented)]).toEqual([]);
    },
  };
}

/** The time of this machine plus an offset that a test may change. */
function passingClock(): TestService['clock'] {
  let aheadMs = 0;
  return {
    get nowMs() {
      return Date.now() + aheadMs;
    },
    set nowMs(atMs) {
      aheadMs = atMs - Date.now();
    },
  };
}

/** Starts a service before the tests of a suite, and closes it after them. */
export function suiteService(...options: Parameters<typeof openTestService>): TestService {
  const service = fromHook(beforeAll, () => openTestService(...options));
  afterAll(() => service.close());
  return service;
}

/** Creates one account for all tests of a suite. */
export function accountOfSuite(service: TestService): TestAccount {
  return fromHook(beforeAll, () => service.newAccount());
}

/** Creates a new account for each test. */
export function accountOfEach(service: TestService): TestAccount {
  return fromHook(beforeEach, () => service.newAccount());
}

/** Sends requests with the key of the account, or with another key. */
export function agentOf(service: TestService, account: TestAccount) {
  return (key = account.key) => request.agent(service.app).set('Authorization', `Bearer ${key}`);
}

async function newAccount(services: Dependencies, database: TestDatabase): Promise<TestAccount> {
  const id = services.newId('account');
  const createdAtMs = services.clock.now();
  await database.database.models.accounts.create([
    { _id: id, name: 'Test', plan: 'business', createdAtMs },
  ]);
  const newKey = (options: KeyOptions = {}) => storeKey(services, id, options);
  return { id, key: await newKey(), newKey };
}

async function storeKey(
  { stores, newId, clock }: Dependencies,
  accountId: string,
  { scopes = ['admin'], expiresAtMs, revokedAtMs }: KeyOptions,
): Promise<string> {
  const key = newApiKey(randomBytes);
  await stores.apiKeys.create(accountId, {
    id: newId('apiKey'),
    accountId,
    name: 'test',
    hash: hashToken(key),
    ...readVisibleParts(key),
    scopes,
    expiresAtMs: expiresAtMs ?? null,
    revokedAtMs: revokedAtMs ?? null,
    createdAtMs: clock.now(),
    lastUsedAtMs: null,
  });
  return key;
}
