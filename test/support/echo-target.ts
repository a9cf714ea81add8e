/**
 * A target that returns everything that it was sent, in every spelling. It can also break off in the middle of a
 * response.
 */
import type { ServerResponse } from 'node:http';
import { spellingsOf } from './echo-forms';
import { type Received, type RecordingTarget, startRecordingTarget } from './recording-target';

/** Starts the target. It returns the token at `/login`, and at `/oauth/token` in the form of an identity provider. */
export function startEchoTarget(token: string): Promise<RecordingTarget> {
  return startRecordingTarget((received, response) => {
    const { pathname, searchParams } = new URL(received.url, 'http://target');
    const sent = valuesOf(received);
    response.setHeader('X-Echo', sent.map(headerText).join(', '));
    if (pathname === '/login') {
      const template = '{{secret:header}} {{pin}}';
      response.end(JSON.stringify({ token, template, echo: { sent, token: [`x${token}x`] } }));
      return;
    }
    if (pathname === '/oauth/token') {
      response.end(JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 3600 }));
      return;
    }
    if (pathname === '/redirect') {
      const [first = ''] = sent;
      const location = `/echo?leak=${encodeURIComponent(first)}&plain=${encodeURI(sent.join())}`;
      response.writeHead(303, { location, 'set-cookie': `leak=${encodeURIComponent(first)}` });
      response.end(sent.join('\n'));
      return;
    }
    response.statusCode = Number(searchParams.get('status') ?? 200);
    if (pathname === '/broken') breakOff(response, sent);
    else if (pathname === '/chunked') endLate(response, sent);
    else response.end(echoOf(sent));
  });
}

/** Returns the values in headers and bodies, whole and in parts. */
function valuesOf({ headers, body }: Received): string[] {
  const own = ['x-key', 'x-basic', 'x-v', 'authorization'];
  const fromHeaders = own.flatMap((name) => String(headers[name] ?? ''));
  const words = [...fromHeaders, ...stringsIn(parse(body))].flatMap((text) => [
    text,
    text.replace(/^k |^Bearer |^in | text$/g, ''),
  ]);
  return [...new Set(words)].filter((text) => text !== '');
}

function echoOf(sent: readonly string[]): string {
  const basic = sent.map((value) => Buffer.from(`user:${value}`).toString('base64'));
  return JSON.stringify({ plain: sent, spellings: sent.flatMap(spellingsOf), basic });
}

/** Sends a response that breaks off in the middle of the first value. */
function breakOff(response: ServerResponse, sent: readonly string[]): void {
  const [first = ''] = sent;
  response.writeHead(500, { 'content-length': 100_000 });
  response.write(`${echoOf(sent)} ${first.slice(0, -3)}`, () => response.destroy());
}

function endLate(response: ServerResponse, sent: readonly string[]): void {
  for (const letter of sent.join(' ')) response.write(letter);
  response.end();
}

function headerText(value: string): string {
  return value.replaceAll(/[^\x20-\x7e]/g, '');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
