/** Tests the logic behind the settings pages: the requests for the input, and the values read from responses. */
import { readReadiness } from '../../../src/dashboard/features/settings/about/readiness-facts';
import {
  expiryAfter,
  findKeyEnd,
} from '../../../src/dashboard/features/settings/api-keys/key-expiry';
import { fieldChanges } from '../../../src/dashboard/features/settings/audit/audit-diff';
import { endOfDay, startOfDay } from '../../../src/dashboard/features/settings/audit/audit-times';
import {
  buildBody,
  createDraft,
  hasAdvanced,
} from '../../../src/dashboard/features/settings/channels/channel-draft';
import { buildSnippet } from '../../../src/dashboard/features/settings/pipelines/pipeline-snippet';
import { readSet } from '../../../src/dashboard/features/settings/transfer/read-set';
import type { AlertChannel } from '../../../src/dashboard/shared/data/api-types';
import { faultAt } from '../../../src/dashboard/shared/text/faults';
import { alertChannelBody } from '../../../src/schemas/alerts';
import { validate } from '../../../src/schemas/issues';
import { alertChannelTypes } from '../../../src/schemas/responses/alerts';
import { describeChannelTypes } from '../../../src/services/alerting/describe-channel-types';

const SLACK: AlertChannel = {
  id: 'chn_01h0000000000000000000000a',
  version: 2,
  key: null,
  name: 'Ops',
  type: 'slack',
  isDefault: true,
  onlyKinds: null,
  fallback: null,
  fallbackAfterMinutes: 15,
  lastSentAt: null,
  failing: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};
const DAY_MS = 86_400_000;

const TYPES = alertChannelTypes.parse(describeChannelTypes()).data;
const fieldsOf = (type: string) => TYPES.find((known) => known.type === type)?.fields ?? [];

test('a form never sends a masked URL back as the URL', () => {
  const masked = { ...SLACK, webhookUrl: 'https://hooks.slack.com/…' };
  expect(buildBody(createDraft(masked), masked, fieldsOf('slack'))).toEqual({ name: 'Ops' });
});

test.each([
  ['email', { emails: ['a@example.com'] }],
  ['slack', { webhookUrl: 'https://hooks.example.com/x' }],
  ['webhook', { url: 'https://example.com/hook', headers: 'X-Team: ops\nX-Two: a:b' }],
  ['pagerduty', { routingKey: 'a'.repeat(32), severityMap: { failure: 'error' } }],
  ['jira', { apiKey: 'key', responders: ['team:a-1'] }],
  ['teams', { webhookUrl: 'https://example.com/x' }],
  ['discord', { webhookUrl: 'https://example.com/x' }],
  ['telegram', { botToken: '1:a', chatId: '-100', threadId: '7' }],
  ['ntfy', { topic: 'alerts', priority: '5' }],
  ['gotify', { url: 'https://gotify.example.com', token: 'a' }],
  ['pushover', { userKey: 'u', appToken: 't', emergency: true }],
  [
    'twilio',
    { accountSid: `AC${'0'.repeat(32)}`, authToken: 't', from: 'Ops', to: ['+4915112345678'] },
  ],
  ['googlechat', { webhookUrl: 'https://example.com/x' }],
  ['mattermost', { webhookUrl: 'https://example.com/x' }],
  ['apprise', { url: 'https://apprise.example.com', urls: 'mailto://a\nsignal://b' }],
] as const)('a new %s channel is sent in the form that the service accepts', (type, values) => {
  const draft = { ...createDraft(null), type, name: 'New', values };
  const body = buildBody(draft, null, fieldsOf(type));
  expect(validate(alertChannelBody, body)).toMatchObject({ ok: true });
});

test.each(TYPES.map(({ type }) => type))(
  'a %s channel can be created without its folded fields',
  (type) => {
    const shown = fieldsOf(type).filter(({ isAdvanced }) => !isAdvanced);
    expect(shown.length).toBeGreaterThan(0);
    expect(fieldsOf(type).filter((field) => field.isAdvanced && field.isRequired)).toEqual([]);
    expect(hasAdvanced({ ...createDraft(null), type }, null, fieldsOf(type))).toBe(false);
  },
);

test('a folded section is open at first if one of its fields is set, even to a masked secret', () => {
  const jira = { ...SLACK, type: 'jira' as const, webhookSecret: '…' };
  expect(hasAdvanced(createDraft(jira), jira, fieldsOf('jira'))).toBe(true);
  const only = { ...SLACK, onlyKinds: ['failure' as const] };
  expect(hasAdvanced(createDraft(only), only, fieldsOf('slack'))).toBe(true);
  expect(hasAdvanced(createDraft(SLACK), SLACK, fieldsOf('slack'))).toBe(false);
  const pager = { ...createDraft(null), values: { emergency: true } };
  expect(hasAdvanced(pager, null, fieldsOf('pushover'))).toBe(true);
});

test('clearing a field or header in a form removes that field or header by a PATCH', () => {
  const before = { ...SLACK, type: 'webhook' as const, headers: { 'X-Old': '1', 'X-Kept': '2' } };
  const draft = { ...createDraft(before), values: { headers: 'X-Kept: 3', contentType: '' } };
  expect(buildBody(draft, before, fieldsOf('webhook'))).toEqual({
    name: 'Ops',
    headers: { 'X-Old': null, 'X-Kept': '3' },
  });
});

test('a key is shown as expired from its expiry on, and as revoked after its revocation', () => {
  const nowMs = Date.parse('2026-05-01T00:00:00Z');
  const expiresAt = expiryAfter('30', nowMs);
  expect(expiresAt).toBe('2026-05-31T00:00:00.000Z');
  expect(expiryAfter('never', nowMs)).toBeNull();
  expect(findKeyEnd({ revokedAt: null, expiresAt }, nowMs)).toBeNull();
  expect(findKeyEnd({ revokedAt: null, expiresAt }, nowMs + 30 * DAY_MS)).toBe('expired');
  expect(findKeyEnd({ revokedAt: '2026-05-02T00:00:00.000Z', expiresAt }, nowMs)).toBe('revoked');
});

test('a change in the audit trail shows the old and new value of every changed field', () => {
  expect(fieldChanges({ name: 'a', tags: ['x'] }, { name: 'b', group: null })).toEqual([
    { name: 'name', before: 'a', after: 'b' },
    { name: 'tags', before: '[\n "x"\n]', after: null },
    { name: 'group', before: null, after: 'null' },
  ]);
  expect(fieldChanges(null, null)).toEqual([]);
  const made = { name: 'a', key: null };
  expect(fieldChanges(null, made)).toEqual([{ name: 'name', before: null, after: 'a' }]);
  expect(fieldChanges(made, null)).toEqual([{ name: 'name', before: 'a', after: null }]);
});

test("a day of the audit trail is the whole day in the reader's time zone", () => {
  const from = startOfDay('2026-05-01');
  const to = endOfDay('2026-05-01');
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(DAY_MS);
  expect(startOfDay('yesterday')).toBeUndefined();
  expect(startOfDay(undefined)).toBeUndefined();
});

test('the settings page shows the service as not ready if the state of the service cannot be read', () => {
  expect(
    readReadiness({
      status: 'unavailable',
      dependencies: { database: { status: 'up' }, temporal: { status: 'down' } },
    }),
  ).toEqual({
    isReady: false,
    parts: [
      { name: 'database', isUp: true },
      { name: 'temporal', isUp: false },
    ],
  });
  expect(readReadiness('<html>')).toEqual({ isReady: false, parts: [] });
});

test('a definition file cannot turn on a dry run or pruning', () => {
  const text = JSON.stringify({ monitors: [{ key: 'a' }], dryRun: false, prune: true });
  expect(readSet(text)).toEqual({ ok: true, set: { monitors: [{ key: 'a' }] } });
  expect(readSet('monitors:\n  - key: a\n')).toEqual({
    ok: true,
    set: { monitors: [{ key: 'a' }] },
  });
});

test.each(['', '- a\n- b\n', '{"monitors": [', 'just words'])(
  'a definition file that contains %j is refused before anything is sent',
  (text) => {
    expect(readSet(text).ok).toBe(false);
  },
);

test('an error in an entry of a list is shown at the field of the list', () => {
  const errors = [
    { path: 'emails[1]', message: 'Invalid email address' },
    { path: 'name', message: 'is required' },
  ];
  expect(faultAt({ errors }, 'emails')).toBe('Invalid email address');
  expect(faultAt({ errors }, 'url')).toBeNull();
  expect(faultAt(null, 'name')).toBeNull();
});

test('a webhook is saved with the chosen events, and without events once all are deselected', () => {
  const fields = fieldsOf('webhook');
  const draft = { ...createDraft(null), type: 'webhook' as const };
  expect(buildBody(draft, null, fields)).not.toHaveProperty('events');
  const events = ['run.finished', 'incident.opened'];
  expect(buildBody({ ...draft, values: { events } }, null, fields)).toMatchObject({ events });
  const stored = { ...SLACK, type: 'webhook' as const, events };
  const emptied = { ...createDraft(stored), values: { events: [] } };
  expect(buildBody(emptied, stored, fields)).toMatchObject({ events: null });
});

test.each([
  [
    'https://token.actions.githubusercontent.com',
    '.github/workflows/verify.yml',
    'id-token: write',
  ],
  ['https://gitlab.com', '.gitlab-ci.yml', 'KEEPWATCH_ID_TOKEN: { aud: https://kw.example.com }'],
])(
  "the lines to copy for a pipeline of %s contain the pipeline's id and the URL of this service",
  (issuer, file, line) => {
    const snippet = buildSnippet({ id: 'pip_1', issuer }, 'https://kw.example.com');
    expect(snippet.file).toBe(file);
    expect(snippet.text).toContain(line);
    expect(snippet.text).toContain('KEEPWATCH_URL: https://kw.example.com\n');
    expect(snippet.text).toContain('KEEPWATCH_PIPELINE: pip_1\n');
  },
);
