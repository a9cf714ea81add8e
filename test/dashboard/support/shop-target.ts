/** The shop of the example scenario on loopback. Clients can log in, and create, read and delete an order. */
import type { IncomingMessage } from 'node:http';
import { type LoopbackServer, startLoopbackServer } from '../../support/loopback-server';

const TOKEN = 'token-of-the-shop';

export async function startShop(): Promise<LoopbackServer> {
  const orders = new Map<string, object>();
  return await startLoopbackServer((request, response) => {
    void readBody(request).then((body) => {
      const [status, answer] = answerTo(request, body, orders);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(answer === null ? '' : JSON.stringify(answer));
    });
  });
}

function answerTo(
  { url = '', method, headers }: IncomingMessage,
  body: string,
  orders: Map<string, object>,
): readonly [number, object | null] {
  if (url === '/login') return [200, { token: TOKEN, user: { 'first-name': 'Demo', id: 7 } }];
  if (headers.authorization !== `Bearer ${TOKEN}`) return [401, { error: 'unknown token' }];
  if (method === 'POST') {
    const id = String(orders.size + 1);
    const order = { id, ...JSON.parse(body) };
    orders.set(id, order);
    return [201, order];
  }
  const id = url.split('/').at(-1) ?? '';
  if (method === 'DELETE') return orders.delete(id) ? [204, null] : [404, null];
  return orders.has(id) ? [200, orders.get(id) ?? null] : [404, null];
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
