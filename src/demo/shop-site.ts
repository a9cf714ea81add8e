/**
 * A small shop on loopback for the demo, tests and benchmarks, with a slow page and a checkout that sometimes breaks.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { createAccountPages } from './account-pages';
import { forgetOldest, type Handler, type PageResponse } from './shop-visit';

const BODY_BYTES_MAX = 16_384;
/** Every third search takes longer by this time. */
const SLOW_SEARCH_MS = 900;
const CATALOGUE = [
  { item: 'coffee', price: 3.2 },
  { item: 'tea', price: 2.8 },
  { item: 'cake', price: 4.1 },
];

/** The times at which the checkout is broken, relative to the call of `startBreaking`. */
export interface BreakPlan {
  readonly firstAfterMs: number;
  readonly forMs: number;
  readonly everyMs: number;
}

export interface ShopOptions {
  /** The port. 0 means any free port. */
  readonly port?: number;
  readonly now?: () => number;
  /** Waits. Called to make responses slow. */
  readonly sleep?: (ms: number) => Promise<unknown>;
  /** Returns how long the shop waits before it responds to a request, such as `GET /orders/{id}`. By default, 0. */
  readonly computeWait?: (request: string, atMs: number) => number;
}

export interface ShopSite {
  readonly port: number;
  /** The URL without a slash at the end. */
  readonly url: string;
  /** The number of requests so far, by method and path without ids, such as `GET /orders/{id}`. */
  readonly requests: ReadonlyMap<string, number>;
  /** Makes the checkout break according to the plan. Before this call, it never breaks. */
  readonly startBreaking: (plan?: BreakPlan) => void;
  /** Stops the server and closes open connections, too. */
  readonly close: () => Promise<void>;
}

interface Order {
  readonly id: string;
  readonly item: string;
  readonly quantity: number;
}

const DEFAULT_BREAKS: BreakPlan = { firstAfterMs: 10_000, forMs: 90_000, everyMs: 180_000 };

/** True while the checkout is broken according to the plan. */
export function isBroken(plan: BreakPlan, sinceMs: number): boolean {
  const intoPlanMs = sinceMs - plan.firstAfterMs;
  return intoPlanMs >= 0 && intoPlanMs % plan.everyMs < plan.forMs;
}

/** Starts the shop on 127.0.0.1 and resolves once it listens. */
export async function startShopSite(options: ShopOptions = {}): Promise<ShopSite> {
  const { now = Date.now, sleep = setTimeout, computeWait = () => 0 } = options;
  let breaking: { readonly plan: BreakPlan; readonly sinceMs: number } | null = null;
  const tokens = new Set<string>();
  const requests = new Map<string, number>();
  const handlers: ReadonlyMap<string, Handler> = new Map([
    ...createPages({
      isCheckoutBroken: () =>
        breaking !== null && isBroken(breaking.plan, now() - breaking.sinceMs),
      sleep,
    }),
    ...createOrderDesk(tokens),
    ...createAccountPages(),
  ]);

  async function respond(request: IncomingMessage): Promise<PageResponse> {
    const { name, id } = nameRequest(request);
    const handler = handlers.get(name);
    if (handler === undefined) return { status: 404, json: { error: 'no such page' } };
    requests.set(name, (requests.get(name) ?? 0) + 1);
    const waitMs = computeWait(name, now());
    if (waitMs > 0) await sleep(waitMs);
    const body = await readBody(request);
    if (body === null) return { status: 400, json: { error: 'the body is not a JSON object' } };
    const cookies = parseCookies(request.headers.cookie ?? '');
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    return handler({ id, body, cookies, isLoggedIn: tokens.has(token) });
  }

  const server = createServer((request, response) => {
    void respond(request)
      .catch((): PageResponse => ({ status: 500, json: { error: 'the shop stumbled' } }))
      .then((result) => send(response, result));
  });
  const port = await listen(server, options.port ?? 0);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    startBreaking: (plan = DEFAULT_BREAKS) => {
      breaking = { plan, sinceMs: now() };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface PagePorts {
  readonly isCheckoutBroken: () => boolean;
  readonly sleep: (ms: number) => Promise<unknown>;
}

function createPages({ isCheckoutBroken, sleep }: PagePorts): readonly [string, Handler][] {
  let searches = 0;
  return [
    ['GET /', () => ({ status: 200, html: '<h1>Corner shop</h1><p>Open day and night.</p>' })],
    ['GET /catalogue', () => ({ status: 200, json: { items: CATALOGUE } })],
    ['GET /health', () => ({ status: 200, json: { status: 'ok' } })],
    [
      'GET /search',
      async () => {
        searches += 1;
        if (searches % 3 === 0) await sleep(SLOW_SEARCH_MS);
        return { status: 200, json: { found: CATALOGUE.length } };
      },
    ],
    [
      'GET /checkout',
      () =>
        isCheckoutBroken()
          ? { status: 503, json: { error: 'the till is jammed' } }
          : { status: 200, html: '<h1>Checkout</h1>' },
    ],
  ];
}

function createOrderDesk(tokens: Set<string>): readonly [string, Handler][] {
  const orders = new Map<string, Order>();
  const whenLoggedIn =
    (handler: Handler): Handler =>
    (visit) =>
      visit.isLoggedIn ? handler(visit) : { status: 401, json: { error: 'log in first' } };

  const logIn: Handler = ({ body }) => {
    if (typeof body['user'] !== 'string') return { status: 400, json: { error: 'who are you?' } };
    const token = randomUUID();
    tokens.add(token);
    forgetOldest(tokens);
    return { status: 200, json: { token } };
  };
  const create: Handler = ({ body: { item, quantity } }) => {
    if (typeof item !== 'string' || typeof quantity !== 'number') {
      return { status: 400, json: { error: 'an order needs an item and a quantity' } };
    }
    const order = { id: `order-${randomUUID().slice(0, 8)}`, item, quantity };
    orders.set(order.id, order);
    forgetOldest(orders);
    return { status: 201, json: order };
  };
  const read: Handler = ({ id }) => {
    const order = orders.get(id);
    return order === undefined
      ? { status: 404, json: { error: 'no such order' } }
      : { status: 200, json: order };
  };
  const remove: Handler = ({ id }) => ({ status: orders.delete(id) ? 204 : 404 });

  return [
    ['POST /login', logIn],
    ['POST /orders', whenLoggedIn(create)],
    ['GET /orders/{id}', whenLoggedIn(read)],
    ['DELETE /orders/{id}', whenLoggedIn(remove)],
  ];
}

function nameRequest(request: IncomingMessage): { name: string; id: string } {
  const { pathname } = new URL(request.url ?? '/', 'http://shop');
  const id = /^\/orders\/([^/]+)$/.exec(pathname)?.[1];
  const path = id === undefined ? pathname : '/orders/{id}';
  return { name: `${request.method ?? 'GET'} ${path}`, id: id ?? '' };
}

function parseCookies(header: string): ReadonlyMap<string, string> {
  const pairs = header.split('; ').map((pair) => pair.split('='));
  return new Map(pairs.map(([name = '', value = '']) => [name, value]));
}

/** Returns the body as an object. Empty if there is no body. null if it is neither a form nor a small JSON object. */
async function readBody(request: IncomingMessage): Promise<Record<string, unknown> | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!(chunk instanceof Uint8Array)) continue;
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  if (bytes === 0) return {};
  const text = Buffer.concat(chunks).toString('utf8');
  if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true)
    return Object.fromEntries(new URLSearchParams(text));
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : null;
  } catch {
    return null;
  }
}

function send(response: ServerResponse, { status, json, html, headers = {} }: PageResponse): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (html !== undefined) response.setHeader('content-type', 'text/html; charset=utf-8');
  if (json !== undefined) response.setHeader('content-type', 'application/json');
  response.statusCode = status;
  response.end(html ?? (json === undefined ? undefined : JSON.stringify(json)));
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string')
        reject(new Error('The server has no port.'));
      else resolve(address.port);
    });
  });
}
