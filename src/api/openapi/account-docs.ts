/** What the reference says of set-up, sessions, the account and the service itself. */
import { z } from 'zod';
import {
  account,
  apiKeyPage,
  newApiKey,
  openedSession,
  regionPage,
  session,
  setUpAnswer,
  setUpRequired,
} from '../../schemas/answers/account';
import type { RouteDocs } from './route-doc';

const SESSIONS = { tag: 'Set-up and sessions' } as const;

export const ACCOUNT_DOCS: RouteDocs = {
  'GET /v1/setup': {
    ...SESSIONS,
    summary: 'Is a first set-up required?',
    answers: { 200: { says: 'True while there is no account', shape: setUpRequired } },
  },
  'POST /v1/setup': {
    ...SESSIONS,
    summary: 'Make the first account, its owner, a session and an admin key',
    answers: { 201: { says: 'Everything, with the key this once', shape: setUpAnswer } },
    codes: ['already_set_up', 'insufficient_scope'],
    example: {
      setupToken: 'printed-by-the-server',
      accountName: 'My account',
      email: 'me@example.com',
      password: 'choose-a-long-one-please',
    },
  },
  'POST /v1/session': {
    ...SESSIONS,
    summary: 'Sign in',
    answers: { 201: { says: 'Who you are, and a cookie', shape: openedSession } },
    codes: ['invalid_token', 'insufficient_scope', 'rate_limited'],
    example: { email: 'me@example.com', password: 'choose-a-long-one-please' },
  },
  'GET /v1/session': {
    ...SESSIONS,
    summary: 'Who am I?',
    answers: { 200: { says: 'The account, and the person or key', shape: session } },
  },
  'DELETE /v1/session': {
    ...SESSIONS,
    summary: 'Sign out',
    answers: { 204: { says: 'The session has ended' } },
  },
  'GET /v1/account': {
    tag: 'Account',
    summary: 'Read the account and its plan',
    answers: { 200: { says: 'The account', shape: account } },
  },
  'GET /v1/api-keys': {
    tag: 'Account',
    summary: 'List API keys, newest first, revoked ones included',
    answers: { 200: { says: 'A page', shape: apiKeyPage } },
  },
  'POST /v1/api-keys': {
    tag: 'Account',
    summary: 'Make an API key; it is shown this once',
    answers: { 201: { says: 'The key', shape: newApiKey } },
    codes: ['plan_required'],
    example: { name: 'CI', scopes: ['run'], expiresAt: '2030-01-01T00:00:00Z' },
  },
  'DELETE /v1/api-keys/:keyId': {
    tag: 'Account',
    summary: 'Revoke an API key at once',
    answers: { 204: { says: 'Done; no body' } },
  },
  'GET /v1/regions': {
    tag: 'Service',
    summary: 'List regions with their workers',
    answers: { 200: { says: 'Every region', shape: regionPage } },
  },
  'GET /v1/openapi.json': {
    tag: 'Service',
    summary: 'This description',
    answers: { 200: { says: 'OpenAPI 3.1', shape: z.looseObject({}) } },
  },
};
