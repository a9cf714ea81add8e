/**
 * Tests passkeys and authenticator apps in a real browser with a virtual authenticator: adding them, signing in with
 * them, and what the service refuses.
 *
 * Covers:
 * - services/factors/own-passkeys
 * - services/factors/passkey-challenges
 */

import { TOTP } from 'otpauth';
import type { BrowserContext, Page } from 'playwright-core';
import { createPasskeys, type Passkeys } from '../../../src/platform/sign-in/passkeys';
import { createProviders } from '../../../src/platform/sign-in/providers';
import { openTestService, SETUP_TOKEN, type TestService } from '../../api/test-service';
import { fromHook } from '../../support/from-hook';
import { connectBrowser } from '../../support/shared-browser';
import { eventually } from '../support/eventually';

const OWNER = { email: 'owner@example.com', password: 'a long password for the tests' };

/** The passkeys of the service. They need the URL of the service, which is known only after its start. */
let passkeys: Passkeys;
const delegating: Passkeys = {
  isAvailable: true,
  describeRegistration: (asked) => passkeys.describeRegistration(asked),
  readRegistration: (...given) => passkeys.readRegistration(...given),
  describeAuthentication: (asked) => passkeys.describeAuthentication(asked),
  readAuthentication: (asked) => passkeys.readAuthentication(asked),
};
const providers = createProviders(
  [
    {
      id: 'example',
      name: 'Example',
      protocol: 'oidc',
      issuer: 'http://127.0.0.1:1',
      clientId: 'keepwatch',
      clientSecret: 'secret-of-the-client-in-tests',
      scopes: ['openid', 'email'],
      rules: {
        roleClaim: null,
        roles: new Map(),
        defaultRole: 'viewer',
        allowedDomains: [],
        domainClaim: null,
        areEmailsTrusted: false,
        isSecondFactorTrusted: false,
      },
      accountId: null,
    },
  ],
  { clock: { now: () => Date.now() } },
);
const signIn = { passwords: 'on', providers, passkeys: delegating } as const;

const service: TestService = fromHook(beforeAll, () =>
  openTestService({ signIn }, { isForBrowsers: true }),
);
const browser = fromHook(beforeAll, connectBrowser);
let context: BrowserContext;
let page: Page;
let site: string;

beforeAll(async () => {
  // Browsers allow passkeys for `localhost` without TLS, but not for an IP address.
  site = service.url.replace('127.0.0.1', 'localhost');
  passkeys = createPasskeys(site);
  const setup = { setupToken: SETUP_TOKEN, accountName: 'Example', ...OWNER };
  await fetch(`${service.url}/v1/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(setup),
  });
  context = await browser.newContext();
  page = await context.newPage();
  const devices = await context.newCDPSession(page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
});
afterAll(async () => {
  await context.close();
  await browser.close();
  await service.close();
});

async function openLogin(): Promise<void> {
  // Leaves the page first. Otherwise it would notice that its cookie is missing and redirect to the sign-in page.
  await page.goto('about:blank');
  await context.clearCookies();
  await page.goto(`${site}/login?next=/settings/factors`);
}

async function enterPassword(): Promise<void> {
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const refusal = () => page.getByRole('alert').getByText('This passkey was not accepted');
const isSignedIn = () => page.getByRole('heading', { name: 'Passkeys', exact: true }).waitFor();

test('a passkey is added, and signs in alone and as a second factor', async () => {
  await openLogin();
  await enterPassword();
  await page.getByLabel('Name of the new passkey').fill('Laptop');
  await button('Add a passkey').click();
  await page.getByText('Laptop', { exact: true }).waitFor();
  await page.getByText('Keep these codes in a safe place.').waitFor();
  await button('Done').click();

  await openLogin();
  await button('Sign in with a passkey').click();
  await isSignedIn();

  await openLogin();
  await enterPassword();
  await button('Use passkey').click();
  await isSignedIn();
});

test('the choice to stay signed in applies to providers, and to passkeys alone and as a second factor', async () => {
  const stay = page.getByRole('checkbox', { name: 'Stay signed in on this device' });
  const endOthers = async () => {
    await page.goto(`${site}/settings/password`);
    await button('Sign out all other sessions').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out all' }).click();
    // The button is gone once the list has been read again.
    await eventually(() => button('Sign out all other sessions').count()).toBe(0);
  };
  await openLogin();
  expect(await stay.isChecked()).toBe(false);
  const provider = page.getByRole('link', { name: 'Sign in with Example' });
  expect(await provider.getAttribute('href')).not.toContain('staySignedIn');
  await stay.check();
  expect(await provider.getAttribute('href')).toContain('&staySignedIn=true');
  await button('Sign in with a passkey').click();
  await isSignedIn();
  await endOthers();
  await page.getByText('Stays signed in', { exact: true }).waitFor();

  await openLogin();
  await button('Sign in with a passkey').click();
  await isSignedIn();
  await endOthers();
  expect(await page.getByText('Stays signed in', { exact: true }).count()).toBe(0);

  await openLogin();
  await stay.check();
  await enterPassword();
  await button('Use passkey').click();
  await isSignedIn();
  await page.goto(`${site}/settings/password`);
  await page.getByText('Stays signed in', { exact: true }).waitFor();
});

test('a passkey whose counter does not increase is refused as a copy', async () => {
  const { passkeys: stored } = service.database.database.models;
  await stored.updateMany({}, { $set: { counter: 1_000_000 } });
  await openLogin();
  await button('Sign in with a passkey').click();
  await refusal().waitFor();
  await stored.updateMany({}, { $set: { counter: 0 } });
  await button('Sign in with a passkey').click();
  await isSignedIn();
});

test('a passkey is refused if another origin requested the signature', async () => {
  passkeys = createPasskeys('http://localhost:1');
  await openLogin();
  await button('Sign in with a passkey').click();
  await refusal().waitFor();
  passkeys = createPasskeys(site);
});

test('an authenticator app is set up with a QR code, and its code signs in', async () => {
  await openLogin();
  await button('Sign in with a passkey').click();
  await button('Set up').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('img', { name: 'QR code of the secret' }).waitFor();
  const secret = (await dialog.locator('pre').textContent()) ?? '';
  const codeIn = (steps: number) =>
    new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
  await dialog.getByLabel('Code from the app').fill(codeIn(0));
  await dialog.getByRole('button', { name: 'Finish' }).click();
  await button('Replace').waitFor();

  await openLogin();
  await enterPassword();
  // Enters the code of the next time step, because the current code is used up.
  await page.getByLabel('Code from your authenticator app').fill(codeIn(1));
  await button('Sign in').click();
  await isSignedIn();
});
