/** A server that implements as much of GitHub's OAuth 2.0 and API as a sign-in needs, over real HTTP. */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

export interface GithubEmail {
  readonly email: string;
  readonly verified: boolean;
  readonly primary: boolean;
}

interface GithubServer {
  readonly url: string;
  /** The person who is currently signed in at GitHub. */
  person: { readonly id: number; readonly emails: readonly GithubEmail[] };
  readonly close: () => Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly location?: string;
}

const REFUSED: Reply = { status: 401, body: { message: 'Bad credentials' } };

export async function startGithubServer(secret: string): Promise<GithubServer> {
  const challenges = new Map<string, string>();
  const tokens = new Set<string>();
  const server = createServer(async (incoming, response) => {
    const { status, body, location } = await reply(incoming);
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(location !== undefined && { location }),
    });
    response.end(body === undefined ? '' : JSON.stringify(body));
  });

  async function reply(incoming: IncomingMessage): Promise<Reply> {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', started.url);
    if (pathname === '/login/oauth/authorize') return authorize(searchParams);
    if (pathname === '/login/oauth/access_token')
      return exchange(new URLSearchParams(await text(incoming)));
    const token = /^Bearer (.+)$/.exec(incoming.headers.authorization ?? '')?.[1] ?? '';
    if (!tokens.has(token)) return REFUSED;
    const { id, emails } = started.person;
    // `email` is null, as for people who show no public address. `/user/emails` returns the addresses.
    if (pathname === '/api/v3/user') return { status: 200, body: { id, login: 'x', email: null } };
    if (pathname === '/api/v3/user/emails') return { status: 200, body: emails };
    return { status: 404 };
  }

  function authorize(asked: URLSearchParams): Reply {
    const code = randomUUID();
    challenges.set(code, asked.get('code_challenge') ?? '');
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.search = new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString();
    return { status: 302, location: back.href };
  }

  function exchange(form: URLSearchParams): Reply {
    const code = form.get('code') ?? '';
    const verifier = form.get('code_verifier') ?? '';
    const proof = createHash('sha256').update(verifier).digest('base64url');
    const isProved = challenges.get(code) === proof && form.get('client_secret') === secret;
    challenges.delete(code);
    if (!isProved) return { status: 200, body: { error: 'bad_verification_code' } };
    const token = `gho_${randomUUID()}`;
    tokens.add(token);
    return { status: 200, body: { access_token: token, token_type: 'bearer', scope: '' } };
  }

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const started: GithubServer = {
    url: `http://127.0.0.1:${port}`,
    person: { id: 1, emails: [] },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return started;
}
