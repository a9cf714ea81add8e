/**
 * Starts a shop on loopback for checks of the command line. It has pages, a login and orders, and a test can break it.
 */
import { startLoopbackServer } from '../support/loopback-server';

export interface ShopTarget {
  readonly url: string;
  /** While true, every response is a 500. */
  isBroken: boolean;
  readonly close: () => Promise<void>;
}

export async function startShop(): Promise<ShopTarget> {
  const orders = new Map<string, string>();
  const shop = { isBroken: false };
  const server = await startLoopbackServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const [status, body] = shop.isBroken
        ? [500, '{"error":"broken"}']
        : answerOf(`${request.method} ${request.url}`, Buffer.concat(parts).toString(), orders);
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  });
  return Object.assign(shop, {
    url: server.url,
    close: server.close,
  });
}

function answerOf(
  line: string,
  body: string,
  orders: Map<string, string>,
): readonly [status: number, body: string] {
  const id = line.split('/orders/')[1] ?? '';
  if (line === 'POST /login') return [200, '{"token":"a-token-of-the-shop"}'];
  if (line === 'POST /orders') {
    orders.set(`o${orders.size}`, body);
    return [201, JSON.stringify({ id: `o${orders.size - 1}` })];
  }
  if (line.startsWith('GET /orders/')) return [200, orders.get(id) ?? '{}'];
  if (line.startsWith('DELETE /orders/')) return [204, ''];
  return [200, '{"status":"ok"}'];
}
