/** Tests drafts of monitors and heartbeats. The form returns all stored fields, and omits defaults. */

import { NETWORK_KINDS } from '../../../src/contracts/kinds';
import {
  HEARTBEAT,
  HEARTBEAT_OPTION_TEXTS,
} from '../../../src/dashboard/features/monitors/form/heartbeat-draft';
import { kindDefinition } from '../../../src/dashboard/features/monitors/form/kind-draft';
import {
  MONITOR,
  newMonitorDraft,
} from '../../../src/dashboard/features/monitors/form/monitor-draft';
import { MONITOR_OPTION_TEXTS } from '../../../src/dashboard/features/monitors/form/monitor-options';
import {
  copyDefinition,
  withoutStored,
} from '../../../src/dashboard/shared/definition/definition-draft';
import { readOptionFacts } from '../../../src/dashboard/shared/definition/options';
import { readYaml, toYaml } from '../../../src/dashboard/shared/definition/yaml-text';
import { KIND_FORMS } from '../../../src/kinds/form';
import { monitorOptionFields } from '../../../src/kinds/http/shape';
import { escapeText, unescapeText } from '../../../src/kinds/inputs';
import { KIND_SHAPES, listRequiredFieldNames } from '../../../src/kinds/shapes';
import { heartbeatOptionFields } from '../../../src/schemas/heartbeat';
import { validate } from '../../../src/schemas/issues';
import { monitorBody } from '../../../src/schemas/monitor';

const alerts = {
  channels: ['slack'],
  emails: ['a@example.com'],
  onFailure: true,
  onRecovery: false,
  onDegraded: true,
  remindEveryMinutes: 30,
  policy: 'on-call',
};

const monitor = {
  name: 'Everything',
  url: 'https://example.com/{{path}}',
  method: 'POST',
  interval: 30,
  regions: ['eu', 'us'],
  headers: { accept: 'text/html', authorization: 'Bearer live-token' },
  form: { user: 'demo' },
  assertions: [{ type: 'status', operator: 'equals', value: 201 }],
  alerts,
  group: 'shop/checkout',
  dependsOn: ['gateway'],
  runbookUrl: 'https://wiki.example.com/shop',
  note: 'Fail over first.\nThen call.',
  tags: ['a', 'b'],
  key: 'everything',
  variables: { path: 'x', token: { secret: true } },
  timeoutMs: 5_000,
  retries: 3,
  followRedirects: false,
  maxRedirects: 2,
  degradedAboveMs: 900,
  tls: { warnDays: [20] },
  quorum: 2,
  failuresBeforeDown: 3,
  successesBeforeUp: 2,
};

const heartbeat = {
  type: 'heartbeat',
  name: 'Backup',
  schedule: { cron: '0 2 * * *', timeZone: 'Europe/Berlin' },
  graceSeconds: 600,
  earlySeconds: 0,
  maxRunSeconds: 3_600,
  minRunSeconds: 5,
  failOn: [{ contains: 'ERROR' }, { matches: '^panic' }],
  alerts,
  group: 'nightly',
  tags: ['db'],
  dependsOn: ['database'],
  runbookUrl: 'https://wiki.example.com/backup',
  note: 'Ask the night shift.',
  key: 'backup',
};

test('monitors and heartbeats keep every field when their forms read and write them', () => {
  expect(MONITOR.toBody(MONITOR.toDraft(monitor))).toEqual(monitor);
  expect(HEARTBEAT.toBody(HEARTBEAT.toDraft(heartbeat))).toEqual(heartbeat);
  expect(MONITOR.findProblems(MONITOR.toDraft(monitor))).toEqual([]);
  expect(HEARTBEAT.findProblems(HEARTBEAT.toDraft(heartbeat))).toEqual([]);
});

test('forms omit defaults from the body without changing its meaning', () => {
  const small = { name: 'a', url: 'https://example.com/' };
  const filled = validate(monitorBody, small);
  if (!filled.ok) throw new Error('It is a monitor.');
  const body = MONITOR.toBody(MONITOR.toDraft(small));
  expect(body).toEqual({ ...small, method: 'GET', interval: 60 });
  expect(validate(monitorBody, body)).toEqual(filled);
  const again = MONITOR.toBody(MONITOR.toDraft({ ...monitor, retries: 1, alerts: {} }));
  expect(again).not.toHaveProperty('retries');
  expect(again).not.toHaveProperty('alerts');
});

test('incomplete alert settings get defaults and keep the given values', () => {
  const draft = MONITOR.toDraft({ ...monitor, alerts: { emails: ['b@example.com'] } });
  expect(draft.alerts).toMatchObject({ channels: ['default'], emails: ['b@example.com'] });
});

test('the form of a new monitor or heartbeat reports only the missing required fields', () => {
  const paths = (problems: readonly { readonly path: string }[]) =>
    problems.map(({ path }) => path);
  // The name of a monitor is taken from its URL.
  expect(paths(MONITOR.findProblems(newMonitorDraft()))).toEqual(['url']);
  const body = { url: 'https://{{host}}/', variables: { host: 'x.test' } };
  const templated = MONITOR.toDraft(body);
  expect(paths(MONITOR.findProblems(templated))).toContain('name');
  expect(paths(HEARTBEAT.findProblems(HEARTBEAT.toDraft({})))).toEqual(['name']);
});

test('the YAML of a form reads back as the same body, and contains no credentials', () => {
  const draft = MONITOR.toDraft(monitor);
  const text = toYaml(MONITOR, draft);
  expect(text).not.toContain('live-token');
  const read = readYaml(MONITOR, text, draft);
  expect(read.ok && MONITOR.toBody(read.draft)).toEqual(monitor);
  const job = HEARTBEAT.toDraft(heartbeat);
  const again = readYaml(HEARTBEAT, toYaml(HEARTBEAT, job), job);
  expect(again.ok && HEARTBEAT.toBody(again.draft)).toEqual(heartbeat);
});

test('YAML shorthands become full assertions', () => {
  const draft = newMonitorDraft();
  const read = readYaml(MONITOR, 'name: a\nurl: https://x.test\nexpectedText: ok', draft);
  expect(read.ok && MONITOR.toBody(read.draft)['assertions']).toEqual([
    { type: 'body', operator: 'contains', value: 'ok' },
  ]);
});

test('YAML of a heartbeat is refused in the form of a monitor, at the field `type`', () => {
  const typed = toYaml(HEARTBEAT, HEARTBEAT.toDraft(heartbeat));
  const read = readYaml(MONITOR, typed, newMonitorDraft());
  expect(read.ok ? [] : read.problems).toEqual([{ path: 'type', message: 'must be http' }]);
});

test('a form reports two header rows with the same name', () => {
  const draft = MONITOR.toDraft(monitor);
  const [header] = draft.headers;
  if (header === undefined) throw new Error('There is a header.');
  const doubled = { ...draft, headers: [...draft.headers, { ...header, rowId: 'other' }] };
  expect(MONITOR.findProblems(doubled)).toMatchObject([{ path: 'headers.accept' }]);
});

test('a copy of a monitor has a new name and no key, and asks for secrets', () => {
  const copy = withoutStored(MONITOR.toDraft(copyDefinition(monitor)));
  expect(MONITOR.toBody(copy)).toMatchObject({ name: 'Everything (copy)' });
  expect(MONITOR.toBody(copy)).not.toHaveProperty('key');
  expect(MONITOR.findProblems(copy)).toMatchObject([{ path: 'variables.token.value' }]);
});

test('every option of the schema has a label, its limits and its default in the form', () => {
  expect(Object.keys(MONITOR_OPTION_TEXTS).toSorted()).toEqual(
    Object.keys(monitorOptionFields).toSorted(),
  );
  expect(Object.keys(HEARTBEAT_OPTION_TEXTS)).toEqual(Object.keys(heartbeatOptionFields));
  expect(readOptionFacts(monitorOptionFields.timeoutMs)).toEqual({
    type: 'number',
    min: 500,
    max: 60_000,
    fallback: 10_000,
  });
  expect(readOptionFacts(monitorOptionFields.degradedAboveMs).fallback).toBeNull();
  expect(readOptionFacts(heartbeatOptionFields.graceSeconds).fallback).toBe(300);
  expect(readOptionFacts(monitorOptionFields.followRedirects).type).toBe('boolean');
});

const KINDS = {
  tcp: {
    type: 'tcp',
    name: 'Redis',
    host: 'redis.example.com',
    port: 6380,
    useTls: true,
    send: 'PING\r\n',
    expect: '^\\+PONG',
  },
  tls: {
    type: 'tls',
    name: 'Shop',
    host: 'shop.example.com',
    port: 8443,
    serverName: 'www.shop.example.com',
    minVersion: 'TLSv1.3',
    names: ['api.shop.example.com'],
    startTls: 'imap',
    tls: { warnDays: [30] },
  },
  dns: {
    type: 'dns',
    name: 'Mail',
    host: 'example.com',
    record: 'MX',
    servers: ['1.1.1.1', '127.0.0.1:5353'],
    agree: 'any',
    transport: 'tcp',
    expect: 'mx',
  },
  ping: {
    type: 'ping',
    name: 'Router',
    host: 'a.example.com',
    count: 5,
    lossPercent: 20,
    p95Ms: 80,
  },
  websocket: {
    type: 'websocket',
    name: 'Events',
    url: 'wss://api.example.com/events',
    headers: { authorization: 'Bearer {{secret:token}}' },
    subprotocol: 'mqtt',
    send: '{"type":"ping"}\n',
    expect: 'pong',
    tls: { warnDays: [30] },
  },
  grpc: {
    type: 'grpc',
    name: 'Orders',
    host: 'grpc.example.com',
    port: 50_051,
    useTls: true,
    serverName: 'orders.example.com',
    service: 'shop.Orders',
  },
  domain: {
    type: 'domain',
    name: 'Shop',
    host: 'example.com',
    interval: 86_400,
    warnDays: [60, 7],
  },
} as const;

test.each(NETWORK_KINDS)(
  'a %s monitor is unchanged after it was read into its form or its YAML',
  (type) => {
    const kind = kindDefinition(type);
    const shared = { interval: 60, retries: 3, quorum: 'majority', key: 'server', tags: ['db'] };
    const body = { ...shared, ...KINDS[type] };
    const draft = kind.toDraft(body);
    expect(kind.toBody(draft)).toEqual(body);
    expect(kind.findProblems(draft)).toEqual([]);
    const read = readYaml(kind, toYaml(kind, draft), draft);
    expect(read.ok && kind.toBody(read.draft)).toEqual(body);
    const other = readYaml(kind, 'name: a\nurl: https://x.test', draft);
    expect(other.ok ? [] : other.problems).toEqual([{ path: 'type', message: `must be ${type}` }]);
  },
);

test.each(NETWORK_KINDS)('the form of %s has an input for each of its fields', (type) => {
  expect(KIND_FORMS[type].map(({ name }) => name).toSorted()).toEqual(
    Object.keys(KIND_SHAPES[type].fields).toSorted(),
  );
  const empty = kindDefinition(type).findProblems(kindDefinition(type).toDraft({}));
  expect(empty.map(({ path }) => path).toSorted()).toEqual(listRequiredFieldNames(type).toSorted());
  // The form also has a field for the name of the monitor.
  const labels = KIND_FORMS[type].map(({ label }) => label);
  expect(new Set([...labels, 'Name']).size).toBe(labels.length + 1);
});

test('in a form field with one line, a line break is typed as an escape', () => {
  const text = 'EHLO me\r\n\tC:\\temp';
  expect(escapeText(text)).toBe(String.raw`EHLO me\r\n\tC:\\temp`);
  expect(unescapeText(escapeText(text))).toBe(text);
});
