/**
 * An identity provider on loopback. It records each token request and responds with the next token. Tokens are valid
 * for 30 seconds by default.
 */
import type { ServerResponse } from 'node:http';
import { type Received, startRecordingTarget } from '../../support/recording-target';

export interface TokenProvider {
  readonly origin: string;
  readonly tokenUrl: string;
  readonly received: Received[];
  /** How the provider responds. A change is valid until the next reset. */
  respond: (received: Received, response: ServerResponse) => void;
  readonly reset: () => void;
  readonly close: () => Promise<void>;
}

/** Returns the token with this number. It looks like a JWT, and is long enough for the redactor to search for it. */
export function tokenNumber(count: number): string {
  return `eyJhbGciOiJSUzI1NiJ9.token-${count}.c2lnbmF0dXJl`;
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export async function startTokenProvider(): Promise<TokenProvider> {
  const giveToken: TokenProvider['respond'] = (_, response) =>
    sendJson(response, 200, {
      access_token: tokenNumber(server.received.length),
      token_type: 'Bearer',
      expires_in: 30,
    });
  const server = await startRecordingTarget((one, response) => provider.respond(one, response));
  const provider: TokenProvider = {
    origin: server.origin,
    tokenUrl: `${server.origin}/oauth/token`,
    received: server.received,
    respond: giveToken,
    reset: () => {
      server.received.length = 0;
      provider.respond = giveToken;
    },
    close: server.close,
  };
  return provider;
}
