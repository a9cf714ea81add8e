// `npm run pictures`: makes the pictures of README.md in docs/pictures. Starts a throw-away service and a partly broken
// shop, lets the service run for two minutes, and takes screenshots of six pages in a real browser.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';

await ensureInstalled();
await ensureBuilt();
const { default: bundled } = await import('@sparticuz/chromium');
const { chromium } = await import('playwright-core');

const PORT = 3979;
const BASE = `http://127.0.0.1:${PORT}`;
const RUN_FOR_MS = 120_000;
const OWNER = { email: 'you@example.com', password: 'a-long-password-for-pictures' };
const out = join(root, 'docs', 'pictures');

let isBroken = false;
const shop = createServer(({ url = '' }, response) => {
  const body = { status: 'ok', token: 'demo', stock: { cups: 12, plates: 7 }, order: 'o-1042' };
  const answer = () => {
    const fails = isBroken && url.includes('search');
    response.writeHead(fails ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(fails ? { status: 'unavailable' } : body));
  };
  setTimeout(answer, (url.includes('images') ? 320 : 30) + Math.random() * 60);
});

const MONITORS = [
  { name: 'Storefront', path: '/', group: 'shop', tags: ['web'] },
  { name: 'Checkout', path: '/checkout', group: 'shop', tags: ['web', 'critical'] },
  { name: 'Search', path: '/search', group: 'shop', tags: ['web'] },
  { name: 'Images', path: '/images', group: 'shop', tags: ['cdn'] },
  { name: 'Payments API', path: '/api/payments', group: 'shop/api', tags: ['api', 'critical'] },
  { name: 'Stock API', path: '/api/stock', group: 'shop/api', tags: ['api'] },
  { name: 'Login', path: '/login', group: 'accounts', tags: ['web', 'critical'] },
  { name: 'Profile', path: '/profile', group: 'accounts', tags: ['web'] },
];

let cookie = '';

async function call(method, path, body) {
  const answer = await fetch(`${BASE}${path}`, {
    method,
    headers: { 'content-type': 'application/json', origin: BASE, cookie },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
  return text === '' ? null : JSON.parse(text);
}

async function whenReady() {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await fetch(`${BASE}/readyz`).catch(() => null);
    if (answer?.status === 200) return;
    await sleep(200);
  }
  throw new Error('the service was not ready within two minutes');
}

async function fill(folder, origin) {
  const setupToken = readFileSync(join(folder, 'setup-token'), 'utf8').trim();
  await call('POST', '/v1/setup', { setupToken, accountName: 'Example shop', ...OWNER });
  await call('POST', '/v1/session', OWNER);
  for (const { name, path, group, tags } of MONITORS) {
    const assertions = [
      { type: 'status', operator: 'equals', value: 200 },
      { type: 'jsonPath', path: '$.status', operator: 'equals', value: 'ok' },
    ];
    const url = `${origin}${path}`;
    const rest = { interval: 10, group, tags, degradedAboveMs: 300, assertions };
    await call('POST', '/v1/monitors', { name, url, ...rest });
  }
  const steps = [
    { name: 'Log in', method: 'POST', url: `${origin}/login`, extract: { token: '$.token' } },
    { name: 'Find a cup', url: `${origin}/search?q=cup`, headers: { authorization: '{{token}}' } },
    {
      name: 'Order it',
      method: 'POST',
      url: `${origin}/orders`,
      headers: { authorization: '{{token}}' },
      body: { item: 'cup' },
      extract: { order: '$.order' },
    },
    { name: 'Cancel the order', method: 'DELETE', url: `${origin}/orders/{{order}}`, always: true },
  ];
  const scenario = await call('POST', '/v1/scenarios', {
    name: 'Buy a cup',
    interval: 15,
    group: 'shop',
    steps,
  });
  const { data } = await call('GET', '/v1/monitors?limit=100');
  const items = (part) =>
    data
      .filter(({ groupKey }) => groupKey.startsWith(part))
      .map(({ id, name }) => ({ id, name }))
      .reverse();
  await call('POST', '/v1/status-pages', {
    slug: 'example-shop',
    title: 'Example shop',
    description: 'How our shop is doing.',
    isPublic: true,
    showBadges: true,
    groups: [
      { name: 'Shop', items: items('shop') },
      { name: 'Accounts', items: items('accounts') },
    ],
  });
  return { scenarioId: scenario.id, monitorId: data.find(({ name }) => name === 'Search').id };
}

async function takePictures({ scenarioId, monitorId }) {
  const browser = await chromium.launch({
    executablePath: await bundled.executablePath(),
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'],
  });
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
  });
  await context.request.post(`${BASE}/v1/session`, { data: OWNER, headers: { origin: BASE } });
  const page = await context.newPage();
  const runs = await call('GET', `/v1/scenarios/${scenarioId}/results?limit=1&status=failed`);
  // Each page, with the element that it renders last.
  const pages = [
    ['overview', '/', 'main svg'],
    ['monitors', '/monitors', 'main td:has-text("%")'],
    ['monitor', `/monitors/${monitorId}?window=1h`, 'figure svg.recharts-surface'],
    ['builder', `/scenarios/${scenarioId}/edit`, 'main h1'],
    ['run', `/scenarios/${scenarioId}/runs/${runs.data[0].id}`, 'main'],
    ['status-page', '/status/example-shop', 'main'],
  ];
  for (const [name, path, last] of pages) {
    await page.goto(BASE + path);
    await page.locator(last).first().waitFor();
    await sleep(2_500);
    await page.screenshot({ path: join(out, `${name}.png`) });
    console.log(`docs/pictures/${name}.png`);
  }
  await browser.close();
}

const folder = mkdtempSync(join(tmpdir(), 'keepwatch-pictures-'));
mkdirSync(out, { recursive: true });
await new Promise((resolve) => shop.listen(0, '127.0.0.1', resolve));
const service = spawn(process.execPath, [join(root, 'dist', 'main', 'all-in-one.js')], {
  env: {
    ...process.env,
    PORT: String(PORT),
    KEEPWATCH_DATA_DIR: folder,
    KEEPWATCH_ALLOWED_PRIVATE_TARGETS: '127.0.0.0/8',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
});
try {
  await whenReady();
  const ids = await fill(folder, `http://127.0.0.1:${shop.address().port}`);
  console.log(`The shop runs for ${RUN_FOR_MS / 1000} s and breaks half-way.`);
  await sleep(RUN_FOR_MS / 2);
  isBroken = true;
  await sleep(RUN_FOR_MS / 2);
  await takePictures(ids);
} finally {
  const ended = new Promise((resolve) => service.once('exit', resolve));
  service.kill('SIGTERM');
  await ended;
  shop.closeAllConnections();
  shop.close();
  rmSync(folder, { recursive: true, force: true });
}
