/** A service with an account, for tests of pages: signed in as its owner or as somebody with a role. */
import type { Browser } from 'playwright-core';
import { z } from 'zod';
import { type ApiClient, createApiClient } from '../../support/api-client';
import { startService, type TestService } from '../../support/service';
import { waitUntil } from '../../support/wait-until';
import { launchBrowser, openPage, type Watched } from './browser';

const OWNER = { email: 'owner@example.com', password: 'a-long-password-for-tests' };
const PASSWORD = 'another-long-password';

export interface Dashboard {
  readonly service: TestService;
  readonly browser: Browser;
  readonly api: ApiClient;
  /** A fresh visitor with a session of the owner. */
  readonly visit: (options?: Parameters<typeof openPage>[1]) => Promise<Watched>;
  /** The same with a member of this role. */
  readonly visitAs: (role: 'admin' | 'editor' | 'viewer') => Promise<Watched>;
  readonly close: () => Promise<void>;
}

export async function openDashboard(
  environment: Readonly<Record<string, string>> = {},
): Promise<Dashboard> {
  const [service, browser] = await Promise.all([
    startService({ regions: ['eu-west'], environment }),
    launchBrowser(),
  ]);
  const api = createApiClient(service.url, (await service.setup()).apiKey);

  async function signedIn(
    credentials: object,
    options?: Parameters<typeof openPage>[1],
  ): Promise<Watched> {
    const watched = await openPage(browser, options);
    const answer = await watched.context.request.post(`${service.url}/v1/session`, {
      data: credentials,
      headers: { origin: service.url },
    });
    if (answer.status() !== 201) throw new Error(`signing in answered ${answer.status()}`);
    return watched;
  }

  return {
    service,
    browser,
    api,
    visit: (options) => signedIn(OWNER, options),
    async visitAs(role) {
      const email = `${role}@example.com`;
      const invited = await api.call(
        { method: 'POST', path: '/v1/invitations', body: { email, role } },
        { status: 201, shape: z.object({ acceptUrl: z.string() }) },
      );
      const token = new URLSearchParams(new URL(invited.acceptUrl).hash.slice(1)).get('token');
      const accepted = await fetch(`${service.url}/v1/invitations/accept`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token, password: PASSWORD }),
      });
      if (accepted.status !== 201) throw new Error(`accepting answered ${accepted.status}`);
      return signedIn({ email, password: PASSWORD });
    },
    async close() {
      await browser.close();
      await service.stop();
    },
  };
}

/** When what the page shows has arrived: no loader, and nothing on its way. */
export async function settled({ page }: Pick<Watched, 'page'>): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const loading = page.locator('[role=status][aria-label=Loading], .mantine-Skeleton-root');
  await waitUntil('what the page shows', async () => (await loading.count()) === 0, 15_000);
}
