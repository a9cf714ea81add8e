/**
 * The sign-in pages of the demo's shop: a form with a token and a cookie, a session cookie, and pages for signed-in
 * users.
 */
import { randomUUID } from 'node:crypto';
import { forgetOldest, type Handler, type PageResponse, type Visit } from './shop-visit';

const USER = 'demo';
export const SHOP_PASSWORD = 'open sesame';

export function createAccountPages(): readonly [string, Handler][] {
  const tokens = new Set<string>();
  const sessions = new Map<string, string>();
  const whenSignedIn =
    (page: (user: string) => PageResponse): Handler =>
    ({ cookies }) => {
      const user = sessions.get(cookies.get('session') ?? '');
      return user === undefined ? { status: 401, html: '<p>Sign in first.</p>' } : page(user);
    };

  const showForm: Handler = () => {
    const token = randomUUID();
    tokens.add(token);
    forgetOldest(tokens);
    const field = `<input type="hidden" name="csrf" value="${token}">`;
    const headers = { 'set-cookie': `csrf=${token}; Path=/account; HttpOnly` };
    return { status: 200, headers, html: `<form method="post">${field}</form>` };
  };
  const signIn: Handler = ({ body, cookies }: Visit) => {
    const { csrf, user, password } = body;
    const isToken = typeof csrf === 'string' && tokens.delete(csrf);
    if (!isToken || cookies.get('csrf') !== csrf || user !== USER || password !== SHOP_PASSWORD)
      return { status: 403, html: '<p>Not signed in.</p>' };
    const session = randomUUID();
    sessions.set(session, USER);
    forgetOldest(sessions);
    const headers = {
      location: '/account',
      'set-cookie': [
        `session=${session}; Path=/account; HttpOnly; SameSite=Lax`,
        'csrf=; Path=/account; Max-Age=0',
      ],
    };
    return { status: 303, headers };
  };
  const signOut: Handler = ({ cookies }) => {
    sessions.delete(cookies.get('session') ?? '');
    return { status: 303, headers: { location: '/account/login' } };
  };

  return [
    ['GET /account/login', showForm],
    ['POST /account/login', signIn],
    ['POST /account/logout', signOut],
    ['GET /account', whenSignedIn((user) => ({ status: 200, html: `<h1>Hello ${user}</h1>` }))],
    ['GET /account/orders', whenSignedIn(() => ({ status: 200, json: { orders: [] } }))],
  ];
}
