/**
 * The fields of a WebSocket check. The check tests whether a server accepts the upgrade, and which messages the server
 * sends.
 */
import { z } from 'zod';
import type { WebSocketSettings } from '../../contracts/kinds';
import { HEADER_MASK, hasLiteralSecret } from '../../domain/secrets/sensitive-headers';
import { headersField } from '../../schemas/fields';
import { formatPath, report, type ShapeProblem } from '../../schemas/issues';
import { readRecord } from '../../schemas/loose';
import { allowFieldReferences } from '../allow-references';
import {
  expectShape,
  findUnreadExtraction,
  type KindShape,
  namedValues,
  type Sent,
  sendShape,
} from '../fields';
import { findUrlProblem, SOCKET_SCHEME, URL_MAX } from '../url';

const SUBPROTOCOL_MAX = 100;

/** A ws or wss URL without references. */
const urlField = z
  .string()
  .max(URL_MAX)
  .meta({
    pattern: '^[Ww][Ss][Ss]?://',
    description: 'ws or wss URL to open. In a step of a scenario, it may contain `{{variables}}`',
  })
  .superRefine((url, context) => {
    const problem = findSocketUrlProblem(url);
    if (problem !== null) report(context, [], { code: 'invalid_value', message: problem });
  });

function findSocketUrlProblem(url: string): string | null {
  if (url.includes('{{')) return 'must not contain variables';
  if (!SOCKET_SCHEME.test(url)) return 'must begin with ws:// or wss://';
  if (url.includes('#')) return 'must not have a fragment';
  return findUrlProblem(url.replace(SOCKET_SCHEME, 'http$1'));
}

const fields = {
  url: urlField,
  headers: headersField.meta({
    description:
      'Headers of the upgrade. A value may contain `{{variables}}` and `{{secret:name}}`, but no secret in plain text',
  }),
  subprotocol: z
    .string()
    .max(SUBPROTOCOL_MAX)
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of a subprotocol')
    .nullable()
    .meta({ description: 'Subprotocol to request. A server that does not accept it fails' })
    .default(null),
  send: sendShape.default(null),
  expect: expectShape.default(null),
};

const whole = z.object(
  allowFieldReferences({
    ...fields,
    url: z.string(),
    headers: namedValues.default([]),
  }),
);

function findWebSocketProblems(body: Sent): readonly ShapeProblem[] {
  const named = Object.entries(readRecord(body['headers'])).flatMap(([name, value]) => {
    const message = findHeaderProblem(name, String(value));
    if (message === null) return [];
    return [{ path: formatPath(['headers', name]), code: 'invalid_value', message }];
  });
  return [...named, ...findUnreadExtraction(body)];
}

function findHeaderProblem(name: string, value: string): string | null {
  if (/^sec-websocket-/i.test(name))
    return 'is set by the service itself; use the field subprotocol for the subprotocol';
  // A mask represents the stored value, which contains no secret in plain text.
  if (value === HEADER_MASK || !hasLiteralSecret(name, value)) return null;
  return 'must not contain a secret itself; use {{secret:name}} or a secret variable';
}

export const WEB_SOCKET_SHAPE: KindShape<'websocket'> = {
  schemaName: 'WebSocket',
  words: {
    label: 'WebSocket',
    title: 'WebSocket check',
    about: 'Opens a WebSocket, and may wait for a message',
    examplePath: '$.messages[0]',
  },
  fields,
  secretFields: ['send', 'headers'],
  hasCertificate: true,
  findProblems: findWebSocketProblems,
  present: ({ headers, ...settings }) => ({
    ...settings,
    headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
  }),
  read: (sent) => {
    const settings: WebSocketSettings = whole.parse({ url: 'ws://missing.invalid', ...sent });
    const { url } = settings;
    return { check: { type: 'websocket', settings }, url, targets: [{ path: 'url', url }] };
  },
};
