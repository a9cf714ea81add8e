/** The demo's own page on loopback, with a link that signs in the owner and a button that kills the probe. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface ProbeCount {
  readonly kills: number;
  readonly made: number;
  readonly lost: number;
}

interface DoorPlan {
  /** A secret part of each path. Other pages on this machine do not have the token, so they cannot call the paths. */
  readonly token: string;
  /** The URL of the dashboard for browsers. */
  readonly dashboardUrl: string;
  /** Opens a session and returns its cookie. */
  readonly openSession: (userAgent: string) => Promise<string>;
  readonly killProbe: () => Promise<void>;
  readonly readCount: () => ProbeCount;
}

export interface FrontDoor {
  readonly signInUrl: string;
  readonly probeUrl: string;
  readonly close: () => Promise<void>;
}

const HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1']);

/**
 * Starts the server, which listens only on 127.0.0.1. Cookies do not depend on the port, so the dashboard receives the
 * cookie that is set here.
 */
export async function startFrontDoor(plan: DoorPlan): Promise<FrontDoor> {
  const server = createServer((request, response) => {
    respond(plan, request, response).catch((error: unknown) => {
      response.writeHead(502, { 'content-type': 'text/plain' }).end(`${String(error)}\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const base = `http://localhost:${port}/${plan.token}`;
  return {
    signInUrl: base,
    probeUrl: `${base}/probe`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(
  plan: DoorPlan,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { hostname, pathname } = new URL(request.url ?? '/', `http://${request.headers.host}`);
  const own = `/${plan.token}`;
  // Refuses host names of other sites that were pointed at this machine (DNS rebinding).
  if (!HOSTS.has(hostname) || (pathname !== own && !pathname.startsWith(`${own}/`))) {
    response.writeHead(404).end();
    return;
  }
  switch (`${request.method} ${pathname.slice(own.length)}`) {
    case 'GET ':
      response
        .writeHead(303, {
          location: plan.dashboardUrl,
          'set-cookie': await plan.openSession(request.headers['user-agent'] ?? ''),
        })
        .end();
      return;
    case 'GET /probe':
      response.writeHead(200, HTML).end(renderPage(plan));
      return;
    case 'POST /probe':
      await plan.killProbe();
      response.writeHead(303, { location: `${own}/probe` }).end();
      return;
    default:
      response.writeHead(404).end();
  }
}

const HTML = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
};

/** Renders the page, which reloads itself every two seconds. */
function renderPage({ readCount, token }: DoorPlan): string {
  const { kills, made, lost } = readCount();
  const times = kills === 1 ? 'once' : `${kills} times`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="2">
<title>${lost} checks lost · Keepwatch demo</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 10vh auto; padding: 0 1rem; }
output { display: block; font-size: 4rem; font-weight: 700; line-height: 1.1; font-variant-numeric: tabular-nums; }
button { font: inherit; font-weight: 600; padding: .7rem 1.2rem; border: 0; border-radius: 8px; background: #c92a2a; color: #fff; cursor: pointer; }
</style>
<h1>Kill the probe</h1>
<p>It sends all checks. The button ends it with SIGKILL, in the middle of whatever it does.</p>
<output>${lost}</output>
<p>${lost === 1 ? 'check' : 'checks'} lost of ${made}, after the probe was killed ${times}.</p>
<form method="post" action="/${token}/probe"><button>Kill this probe</button></form>
<p><a href="/${token}">Open the dashboard</a></p>
</html>
`;
}
