/** Tests the summaries of the folded sections of the forms, which list what differs from the defaults. */
import {
  listAdvancedChanges,
  listKindChanges,
  listRequestChanges,
} from '../../../src/dashboard/features/monitors/form/changes';
import { kindDefinition } from '../../../src/dashboard/features/monitors/form/kind-draft';
import {
  MONITOR,
  newMonitorDraft,
} from '../../../src/dashboard/features/monitors/form/monitor-draft';
import { toDraft } from '../../../src/dashboard/features/scenarios/draft/draft';
import { listMoreChanges } from '../../../src/dashboard/features/scenarios/form/summaries';

test('the folded sections of a new check list nothing', () => {
  const draft = newMonitorDraft();
  expect(listRequestChanges(draft)).toEqual([]);
  expect(listAdvancedChanges(draft)).toEqual([]);
  expect(listKindChanges(kindDefinition('tcp').toDraft({}))).toEqual([]);
  expect(listMoreChanges(toDraft({}))).toEqual([]);
});

test('the section of the request counts the headers, and names the authentication and the body', () => {
  const headers = { accept: 'text/html', 'x-team': 'shop' };
  const auth = { type: 'bearer', token: '{{secret:token}}' };
  const draft = MONITOR.toDraft({ method: 'POST', headers, auth, body: { a: 1 } });
  expect(listRequestChanges(draft)).toEqual([
    '2 headers',
    'Authentication: Token (bearer)',
    'Body: JSON',
  ]);
});

test.each([
  [{ timeoutMs: 30_000, retries: 2 }, ['Timeout 30 s', 'Retries 2']],
  [{ timeoutMs: 1_500 }, ['Timeout 1.5 s']],
  [
    { followRedirects: false, sendTraceparent: true },
    ['Follow redirects off', 'Send traceparent on'],
  ],
  [{ quorum: 2, key: 'shop' }, ['Failing regions required 2', 'Key shop']],
  [{ tls: { warnDays: [30, 7] } }, ['Certificate warnings 30, 7 days before']],
  [{ tls: { certificate: 'PEM', key: '{{secret:key}}' } }, ['Client certificate', 'Private key']],
  [{ proxy: 'squid', ipFamily: '4' }, ['Proxy squid', 'IP version 4']],
  [{ variables: { host: 'a', path: 'b' } }, ['2 variables']],
])('the section “Advanced” of %j lists %j', (fields, changes) => {
  const draft = newMonitorDraft();
  const given = { ...MONITOR.toBody(draft), ...fields };
  expect(listAdvancedChanges(MONITOR.toDraft(given))).toEqual(changes);
});

test('the section “More settings” of a scenario lists its changed settings', () => {
  const draft = toDraft({
    auth: { type: 'basic', user: 'u', password: '{{secret:p}}' },
    onFailure: 'continue',
    timeoutSeconds: 120,
    group: 'shop',
    tags: ['a', 'b'],
  });
  expect(listMoreChanges(draft)).toEqual([
    'Authentication: User and password (basic)',
    'Continues after a failed step',
    'Time limit 2 min',
    'Group shop',
    'Tags a, b',
  ]);
});
