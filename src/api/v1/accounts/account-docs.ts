/** What the reference says of set-up, sessions, the account and the service itself. */
import { z } from 'zod';
import {
  accountDetail,
  auditPage,
  openedSession,
  regionPage,
  session,
  sessionPage,
  setUpRequired,
  setUpResponse,
} from '../../../schemas/responses/account';
import type { RouteDocs } from '../../openapi/route-doc';

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
    answers: { 201: { says: 'Everything, with the key this once', shape: setUpResponse } },
    codes: ['already_set_up', 'insufficient_scope', 'rate_limited'],
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
    codes: ['insufficient_scope'],
  },
  'GET /v1/sessions': {
    ...SESSIONS,
    summary: 'List your open sessions, newest first',
    answers: { 200: { says: 'All of them', shape: sessionPage } },
  },
  'DELETE /v1/sessions/:sessionId': {
    ...SESSIONS,
    summary: 'End one of your sessions',
    answers: { 204: { says: 'It has ended' } },
  },
  'GET /v1/account': {
    tag: 'Account',
    summary: 'Read the account, what its plan allows and what is used of it',
    answers: { 200: { says: 'The account', shape: accountDetail } },
  },
  'PATCH /v1/account': {
    tag: 'Account',
    summary: 'Rename the account',
    answers: { 200: { says: 'The account', shape: accountDetail } },
    example: { name: 'Example Ltd' },
  },
  'GET /v1/audit-events': {
    tag: 'Account',
    summary: 'List who changed what, newest first',
    answers: { 200: { says: 'A page', shape: auditPage } },
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
