/**
 * Tests the pages of the API reference and of the fields. Everything on them comes from our own origin, under a policy
 * without inline scripts. The samples of the reference work unchanged.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import request from 'supertest';
import { createOpenApiDocument } from '../../../src/api/openapi/document';
import { listOperations } from '../../../src/api/pages/reference/operations';
import {
  formatPlaceholder,
  type Language,
  renderSample,
} from '../../../src/api/pages/reference/samples';
import { ROUTES } from '../../../src/api/v1/route-table';
import { makeOneOfEach } from '../routing/one-of-each';
import { openTestService, PUBLIC_URL, type TestAccount, type TestService } from '../test-service';
import { readPython } from './reference/read-python';

const run = promisify(execFile);

let service: TestService;
let origin: string;
let account: TestAccount;
/** Maps placeholders in samples to ids of the account. */
let ids: Readonly<Record<string, string>>;
beforeAll(async () => {
  service = await openTestService();
  const address = service.app.address();
  if (address === null || typeof address === 'string') throw new Error('it has no port');
  origin = `http://127.0.0.1:${address.port}`;
  account = await service.newAccount();
  ids = await makeOneOfEach(service, account);
});
afterAll(() => service.close());

test.each(['/docs', '/docs/fields'])(
  'every file that %s loads comes from the service itself',
  async (path) => {
    const page = await request(service.app).get(path);
    expect(page.status).toBe(200);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe-inline');
    expect(page.text).not.toMatch(/<style|<script>| style="| on\w+="|(?:src|href)="(?!\/|#)/);
    const files = [...page.text.matchAll(/<(?:link|script)[^>]* (?:src|href)="([^"]+)"/g)];
    expect(files).toHaveLength(2);
    for (const [, file = ''] of files) {
      const answer = await request(service.app).get(file);
      expect([file, answer.status]).toEqual([file, 200]);
      expect(answer.text).not.toMatch(/https?:/);
    }
  },
);

test('the OpenAPI document is served without a key', async () => {
  const answer = await request(service.app).get('/v1/openapi.json');
  expect(answer.body).toMatchObject({ openapi: '3.1.0', info: { title: 'Keepwatch' } });
});

const document = createOpenApiDocument({ routes: ROUTES, version: '1.2.3', publicUrl: PUBLIC_URL });

function sample(id: string, language: Language): string {
  const operation = listOperations(document).find((one) => one.id === id);
  if (operation === undefined) throw new Error(`${id} is no operation`);
  return Object.entries(ids).reduce(
    (text, [name, value]) => text.replaceAll(formatPlaceholder(name), value),
    renderSample(operation, origin, language),
  );
}

/** For each language, a function that sends the request of a sample and returns what the sample prints. */
const SENDERS: Readonly<Record<Language, (text: string) => Promise<string>>> = {
  curl: async (text) => (await run('sh', ['-c', `${text} --silent`], inEnvironment())).stdout,
  javascript: async (text) =>
    (await run(process.execPath, ['--input-type=module', '-e', text], inEnvironment())).stdout,
  // Sends the request that Python would send, without running Python.
  python: async (text) => {
    const { url, method, headers, body } = readPython(text, inEnvironment().env);
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return (await fetch(url, { method, headers, ...sent })).text();
  },
};

function inEnvironment() {
  return { env: { ...process.env, KEEPWATCH_API_KEY: account.key } };
}

describe.each(['curl', 'javascript', 'python'] as const)('the samples in %s', (language) => {
  test.each([
    ['createMonitor', /Storefront/],
    ['getMonitor', /mon_/],
    ['updateMonitor', /mon_/],
    ['createScenario', /scn_/],
    ['acknowledgeIncident', /Looking at the load balancer/],
    ['createMaintenanceWindow', /durationMinutes/],
    ['listAlertChannels', /of-the-owner/],
    ['exportMonitorResults', /mon_/],
  ])('the sample %s works unchanged', async (id, printed) => {
    expect(await SENDERS[language](sample(id, language))).toMatch(printed);
  });
});

test.each(['/login', '/setup'])(
  'the reference in %s is complete, and has no links to other origins',
  async (path) => {
    const page = await request(service.app).get(path);
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.text).not.toMatch(/https?:|<script>/);
    const files = [...page.text.matchAll(/(?:src|href)="(\/entry[^"]+)"/g)].map(
      ([, file = '']) => file,
    );
    expect(files).toHaveLength(2);
    for (const file of files) expect((await request(service.app).get(file)).status).toBe(200);
  },
);

test('the root URL redirects to the reference', async () => {
  const answer = await request(service.app).get('/');
  expect(answer.headers['location']).toBe('/docs');
});
