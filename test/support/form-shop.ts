/**
 * A shop with a browser login. Its form contains a token that is repeated in a cookie. The redirect after the form sets
 * a session cookie. Clients that are logged in can order.
 */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Received } from './recording-target';

export interface FormShop {
  /** Responds to a request under `/shop/`. */
  readonly respond: (received: Received, response: ServerResponse) => void;
  /** The owner of each order, by its id. */
  readonly orders: ReadonlyMap<string, string>;
  readonly logins: () => number;
}

const USER = 'demo';
const PASSWORD = 'correct horse';

export function createFormShop(): FormShop {
  const tokens = new Set<string>();
  const sessions = new Map<string, string>();
  const orders = new Map<string, string>();
  let logins = 0;

  function showForm(response: ServerResponse): void {
    const token = randomUUID();
    tokens.add(token);
    response.setHeader('Set-Cookie', [`csrf=${token}; Path=/shop; HttpOnly`, 'lang=en; Path=/']);
    response.setHeader('Content-Type', 'text/html');
    response.end(`<form method="post"><input type="hidden" name="csrf" value="${token}"></form>`);
  }

  function signIn({ body, headers }: Received, response: ServerResponse): void {
    const form = new URLSearchParams(body);
    const token = form.get('csrf') ?? '';
    const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
    const isKnown = tokens.has(token) && cookieOf(headers.cookie, 'csrf') === token;
    const isRight = form.get('user') === USER && form.get('password') === PASSWORD;
    if (!isForm || !isKnown || !isRight) {
      response.writeHead(403).end('not signed in');
      return;
    }
    logins += 1;
    const session = randomUUID();
    sessions.set(session, USER);
    response.setHeader('Set-Cookie', [
      `sid=${session}; Path=/shop; HttpOnly; SameSite=Lax`,
      'csrf=; Path=/shop; Max-Age=0',
    ]);
    response.writeHead(303, { location: '/shop/home' }).end();
  }

  function order(user: string, response: ServerResponse): void {
    const id = randomUUID();
    orders.set(id, user);
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id, user }));
  }

  return {
    orders,
    logins: () => logins,
    respond: (received, response) => {
      const { method, url, headers } = received;
      if (url === '/shop/login') {
        if (method === 'POST') signIn(received, response);
        else showForm(response);
        return;
      }
      const user = sessions.get(cookieOf(headers.cookie, 'sid') ?? '');
      if (user === undefined) response.writeHead(401).end('sign in first');
      else if (method === 'POST') order(user, response);
      else response.end(`welcome ${user}`);
    },
  };
}

function cookieOf(header: string | undefined, name: string): string | undefined {
  const pair = (header ?? '').split('; ').find((one) => one.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}
