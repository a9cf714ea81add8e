/**
 * A small shop on loopback for the demo, tests and benchmarks: log-in, orders, a page that is slow
 * every third time and a check-out that breaks now and then. It knows nothing of Keepwatch.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const BODY_BYTES_MAX = 16_384;
const ORDERS_MAX = 1_000;
const QUICK_SEARCH_MS = 40;
const SLOW_SEARCH_MS = 900;
const CATALOGUE = [
  { item: 'coffee', price: 3.2 },
  { item: 'tea', price: 2.8 },
  { item: 'cake', price: 4.1 },
];

/** When the check-out is broken, relative to the call of `startBreaking`. */
export interface BreakPlan {
  readonly firstAfterMs: number;
  readonly forMs: number;
  readonly everyMs: number;
}

export interface ShopOptions {
  /** 0 takes a free port. */
  readonly port?: number;
  readonly now?: () => number;
}

export interface ShopSite {
  readonly port: number;
  /** Without a slash at the end. */
  readonly url: string;
  /** Requests so far, by method and path without ids, such as `GET /orders/{id}`. */
  readonly requests: ReadonlyMap<string, number>;
  /** The check-out breaks by this plan from now on; before, it never does. */
  readonly startBreaking: (plan?: BreakPlan) => void;
  /** Ends open connections too. */
  readonly close: () => Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly json?: unknown;
  readonly html?: string;
}

interface Order {
  readonly id: string;
  readonly item: string;
  readonly quantity: number;
}

/** Everything a handler may look at. */
interface Visit {
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly isLoggedIn: boolean;
}

type Handler = (visit: Visit) => Answer | Promise<Answer>;

const DEFAULT_BREAKS: BreakPlan = { firstAfterMs: 15_000, forMs: 30_000, everyMs: 120_000 };

/** True while the plan has the check-out broken. */
export function isBroken(plan: BreakPlan, sinceMs: number): boolean {
  const intoPlanMs = sinceMs - plan.firstAfterMs;
  return intoPlanMs >= 0 && intoPlanMs % plan.everyMs < plan.forMs;
}

/** Starts the shop on 127.0.0.1 and resolves once it listens. */
export async function startShopSite(options: ShopOptions = {}): Promise<ShopSite> {
  const now = options.now ?? Date.now;
  let breaking: { readonly plan: BreakPlan; readonly sinceMs: number } | null = null;
  const tokens = new Set<string>();
  const requests = new Map<string, number>();
  const handlers: ReadonlyMap<string, Handler> = new Map([
    ...createPages(() => breaking !== null && isBroken(breaking.plan, now() - breaking.sinceMs)),
    ...createOrderDesk(tokens),
  ]);

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { name, id } = nameRequest(request);
    const handler = handlers.get(name);
    if (handler === undefined) return { status: 404, json: { error: 'no such page' } };
    requests.set(name, (requests.get(name) ?? 0) + 1);
    const body = await readJson(request);
    if (body === null) return { status: 400, json: { error: 'the body is not a JSON object' } };
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    return handler({ id, body, isLoggedIn: tokens.has(token) });
  }

  const server = createServer((request, response) => {
    void answer(request)
      .catch((): Answer => ({ status: 500, json: { error: 'the shop stumbled' } }))
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

function createPages(isCheckoutBroken: () => boolean): readonly [string, Handler][] {
  let searches = 0;
  return [
    ['GET /', () => ({ status: 200, html: '<h1>Corner shop</h1><p>Open day and night.</p>' })],
    ['GET /catalogue', () => ({ status: 200, json: { items: CATALOGUE } })],
    ['GET /health', () => ({ status: 200, json: { status: 'ok' } })],
    [
      'GET /search',
      async () => {
        searches += 1;
        await delay(searches % 3 === 0 ? SLOW_SEARCH_MS : QUICK_SEARCH_MS);
        return { status: 200, json: { found: CATALOGUE.length } };
      },
    ],
    [
      'GET /checkout',
      () =>
        isCheckoutBroken()
          ? { status: 503, json: { error: 'the till is jammed' } }
          : { status: 200, html: '<h1>Check-out</h1>' },
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

/** Keeps a shop that runs for days small. */
function forgetOldest(
  entries: Pick<Set<string>, 'size' | 'delete'> & { keys: () => IterableIterator<string> },
): void {
  if (entries.size <= ORDERS_MAX) return;
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}

function nameRequest(request: IncomingMessage): { name: string; id: string } {
  const { pathname } = new URL(request.url ?? '/', 'http://shop');
  const id = /^\/orders\/([^/]+)$/.exec(pathname)?.[1];
  const path = id === undefined ? pathname : '/orders/{id}';
  return { name: `${request.method ?? 'GET'} ${path}`, id: id ?? '' };
}

/** The body as an object; empty for no body, null for anything that is not a small JSON object. */
async function readJson(request: IncomingMessage): Promise<Record<string, unknown> | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!(chunk instanceof Uint8Array)) continue;
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  if (bytes === 0) return {};
  try {
    const parsed: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : null;
  } catch {
    return null;
  }
}

function send(response: ServerResponse, { status, json, html }: Answer): void {
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
      if (address === null || typeof address === 'string') reject(new Error('no port'));
      else resolve(address.port);
    });
  });
}
