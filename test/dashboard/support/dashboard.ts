/**
 * Opens the built dashboard on the real application, in this process and with its own database. A fake gateway records
 * the calls to Temporal, and a test decides when something is checked. Visitors are the owner or members with a role.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext } from 'playwright-core';
import { z } from 'zod';
import { createTargetGuard } from '../../../src/checks/target-guard';
import { setUpResponse } from '../../../src/schemas/responses/account';
import type { Dependencies } from '../../../src/services/ports/dependencies';
import { openTestService, SETUP_TOKEN, type TestService } from '../../api/test-service';
import { type ApiClient, createApiClient } from '../../support/api-client';
import { fromHook } from '../../support/from-hook';
import { connectBrowser } from '../../support/shared-browser';
import { waitUntil } from '../../support/wait-until';
import {
  expectNoFaults,
  type OpenOptions,
  openContext,
  openPage,
  openPageIn,
  type Watched,
} from './browser';
import { openProbe, type Probe } from './probe';

export const OWNER = { email: 'owner@example.com', password: 'a-long-password-for-tests' };
const PASSWORD = 'another-long-password';
export type Role = 'admin' | 'editor' | 'viewer';

interface VisitOptions extends OpenOptions {
  /**
   * If true, the page gets a separate context. Choices, permissions and interruptions then do not affect other pages.
   */
  readonly isApart?: boolean;
}

/** A service that visitors can open, in this process or in others. */
export interface VisitedService {
  readonly url: string;
  readonly api: ApiClient;
  /** The email address of the owner. */
  readonly email: string;
  /** Opens a new page with a session of the owner. */
  readonly visit: (options?: VisitOptions) => Promise<Watched>;
  /** Opens a new page with a session of a member who has this role. */
  readonly visitAs: (role: Role, options?: VisitOptions) => Promise<Watched>;
  /** Opens a page for a new visitor who is not logged in. */
  readonly visitAsStranger: (options?: OpenOptions) => Promise<Watched>;
  /** Opens a page for a new visitor who is not logged in, in a browser that runs no scripts. */
  readonly visitWithoutScripts: () => Promise<Watched>;
  readonly close: () => Promise<void>;
}

export interface Dashboard extends VisitedService {
  readonly service: TestService;
  readonly accountId: string;
  /** Runs checks when a test requests them. */
  readonly probe: Probe;
  /** Stops listening, as if the process were killed. The returned function makes the service listen again. */
  readonly cutOff: () => Promise<() => Promise<void>>;
}

async function openDashboard(overrides: Partial<Dependencies> = {}): Promise<Dashboard> {
  const guard = createTargetGuard({ allowedPrivateTargets: ['127.0.0.0/8'] });
  const service = await openTestService(
    { configuredRegions: ['eu-west'], findBlockedTarget: guard.adviseOnUrl, ...overrides },
    { isForBrowsers: true },
  );
  const { account, apiKey, session } = await setUp(service.url);
  const probe = openProbe(service, account.id);
  const visited = await openVisits(service.url, {
    apiKey: apiKey.key,
    email: OWNER.email,
    session,
  });
  return {
    ...visited,
    service,
    accountId: account.id,
    probe,
    cutOff: () => cutOff(service.app),
    async close() {
      await visited.close();
      await probe.close();
      await service.close();
    },
  };
}

async function cutOff(server: Server): Promise<() => Promise<void>> {
  const { port } = server.address() as AddressInfo;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
  return async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
}

interface Owner {
  readonly apiKey: string;
  readonly email: string;
  /** The value of the session cookie. */
  readonly session: string;
}

export async function openVisits(
  url: string,
  { apiKey, email, session }: Owner,
): Promise<VisitedService> {
  const browser = await connectBrowser();
  const api = createApiClient(url, apiKey);
  const contexts = new Map<string, Promise<BrowserContext>>();

  async function signedIn(session: () => Promise<string>): Promise<BrowserContext> {
    const context = await openContext(browser);
    await context.addCookies([{ name: 'keepwatch_session', value: await session(), url }]);
    return context;
  }

  async function visit(
    who: string,
    session: () => Promise<string>,
    { isApart = false, ...options }: VisitOptions = {},
  ): Promise<Watched> {
    const opened = contexts.get(who) ?? signedIn(session);
    contexts.set(who, opened);
    const shared = await opened;
    if (!isApart) return await openPageIn(shared, options);
    const watched = await openPage(browser, options);
    await watched.context.addCookies(await shared.cookies());
    return watched;
  }

  return {
    url,
    api,
    email,
    visit: (options) => visit('owner', async () => session, options),
    visitAs: (role, options) => visit(role, () => join(url, api, role), options),
    visitAsStranger: (options) => openPage(browser, options),
    visitWithoutScripts: () => openPage(browser, { javaScriptEnabled: false }),
    close: () => browser.close(),
  };
}

/** Creates the first account, and returns a key and a session of its owner. */
async function setUp(url: string) {
  const body = { setupToken: SETUP_TOKEN, accountName: 'Test account', ...OWNER };
  const response = await post(url, '/v1/setup', body);
  return { session: sessionOf(response), ...setUpResponse.parse(await response.json()) };
}

async function post(url: string, path: string, body: object): Promise<Response> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 201)
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response;
}

function sessionOf(response: Response): string {
  const session = /keepwatch_session=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1];
  if (session === undefined) throw new Error('the response opens no session');
  return session;
}

async function join(url: string, api: ApiClient, role: Role): Promise<string> {
  const email = `${role}@example.com`;
  const invited = await api.call(
    { method: 'POST', path: '/v1/invitations', body: { email, role } },
    { status: 201, shape: z.object({ acceptUrl: z.string() }) },
  );
  const token = new URLSearchParams(new URL(invited.acceptUrl).hash.slice(1)).get('token');
  return sessionOf(await post(url, '/v1/invitations/accept', { token, password: PASSWORD }));
}

/** Opens and fills a dashboard before the tests of a suite, and closes it after them. */
export function suiteDashboard(
  fill: (dashboard: Dashboard) => Promise<void> = async () => undefined,
): Dashboard {
  const dashboard = fromHook(beforeAll, openDashboard);
  beforeAll(() => fill(dashboard));
  afterAll(() => dashboard.close());
  return dashboard;
}

/** Opens a new page of the owner for each test of a suite. Any fault on the page fails the test. */
export function visitorOfEach(
  dashboard: Pick<VisitedService, 'visit'>,
  options?: VisitOptions,
): Watched {
  const visitor = fromHook(beforeEach, () => dashboard.visit(options));
  afterEach(async () => {
    await expectNoFaults(visitor);
    await visitor.close();
  });
  return visitor;
}

/** Opens one page of the owner for all tests of a suite. Any fault on the page fails the current test. */
export function visitorOfSuite(
  dashboard: Pick<VisitedService, 'visit'>,
  options?: VisitOptions,
): Watched {
  const visitor = fromHook(beforeAll, () => dashboard.visit(options));
  afterEach(() => expectNoFaults(visitor));
  afterAll(() => visitor.close());
  return visitor;
}

/** Resolves when the page has loaded: its heading is shown, and no loader is shown. */
export async function settled({ page }: Pick<Watched, 'page'>): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const loading = page.locator('[role=status][aria-label=Loading], .mantine-Skeleton-root');
  await loading.first().waitFor({ state: 'detached' });
}

/** Loads a page and waits until it shows everything. */
export async function load(
  { url }: Pick<VisitedService, 'url'>,
  visitor: Pick<Watched, 'page'>,
  path: string,
): Promise<Watched['page']> {
  await visitor.page.goto(url + path);
  await settled(visitor);
  return visitor.page;
}

/**
 * Navigates to a page as a link of the dashboard does. If the dashboard is not open or the page is already shown, loads
 * the page instead.
 */
export async function follow(
  dashboard: Pick<VisitedService, 'url'>,
  visitor: Pick<Watched, 'page'>,
  path: string,
): Promise<Watched['page']> {
  const { page } = visitor;
  const isThere = new URL(page.url()).pathname === new URL(path, dashboard.url).pathname;
  if (isThere || (await page.evaluate('typeof __TSR_ROUTER__ === "undefined"')))
    return await load(dashboard, visitor, path);
  const target = JSON.stringify({ href: path, ignoreBlocker: true });
  const before = JSON.stringify(page.url());
  // Does not wait for the promise of `navigate`. If another navigation replaces this one, the promise never resolves.
  await page.evaluate(`void __TSR_ROUTER__.navigate(${target})`);
  const isThrough = `location.href !== ${before} && __TSR_ROUTER__.state.status === 'idle'`;
  await waitUntil('the page that was navigated to', async () => await page.evaluate(isThrough));
  await settled(visitor);
  return page;
}
