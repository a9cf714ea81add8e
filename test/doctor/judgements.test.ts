/** Tests which findings the doctor reports as fine, as a warning or as a failure. */
import { examineNode, judgeFree } from '../../src/doctor/examine-host';
import { judgeClock, judgeDatabase, judgeTemporal } from '../../src/doctor/examine-servers';
import { judgeBuilds, judgeWork } from '../../src/doctor/examine-work';

test('the doctor fails below the minimum versions, and warns of a full disk or a wrong clock', () => {
  expect(examineNode('20.18.1').state).toBe('failed');
  expect(examineNode('20.19.0').state).toBe('ok');
  expect(examineNode('24.0.0').state).toBe('ok');
  expect(judgeFree(50 * 1024 ** 2, '/data').state).toBe('failed');
  expect(judgeFree(500 * 1024 ** 2, '/data').state).toBe('warning');
  expect(judgeFree(5 * 1024 ** 3, '/data').state).toBe('ok');
  const database = { isEmbedded: false, clockAheadMs: 0 };
  expect(judgeDatabase({ ...database, version: '6.0.14' }).state).toBe('failed');
  expect(judgeDatabase({ ...database, version: '8.0.1' }).state).toBe('ok');
  const temporal = { hasNamespace: true, pushProblem: null };
  expect(judgeTemporal({ ...temporal, version: '1.31.9' }, 'default')).toMatchObject({
    state: 'failed',
    says: expect.stringContaining('needs 1.32 or newer'),
  });
  expect(judgeTemporal({ ...temporal, version: '1.32.0' }, 'default').state).toBe('ok');
  expect(
    judgeTemporal({ ...temporal, version: '1.32.0', hasNamespace: false }, 'nowhere'),
  ).toMatchObject({
    state: 'failed',
    advice: expect.stringContaining('TEMPORAL_NAMESPACE'),
  });
  const pushProblem = { says: 'pushes nothing', advice: 'Set it.' };
  expect(judgeTemporal({ ...temporal, version: '1.32.0', pushProblem }, 'default')).toEqual({
    name: 'Temporal',
    state: 'warning',
    says: '1.32.0: pushes nothing',
    advice: 'Set it.',
  });
  expect(judgeTemporal({ ...temporal, version: '2.0.1-cloud.4' }, 'default').state).toBe('ok');
  expect(judgeClock(-900).state).toBe('ok');
  expect(judgeClock(-2_000)).toMatchObject({
    state: 'warning',
    says: expect.stringContaining('behind'),
  });
  expect(judgeClock(31_000).state).toBe('failed');
});

test('the doctor fails on late checks, and warns of backlogs, overdue watches and refused alerts', () => {
  const found = judgeWork({
    isTruncated: false,
    counts: { byHealth: [], openIncidents: 0 },
    slotLagMs: 180_000,
    watches: [
      { region: 'eu', held: 40, overdue: 2, handedOver: 0, returned: 0 },
      { region: 'us', held: 40, overdue: 0, handedOver: 0, returned: 0 },
    ],
    regions: [
      {
        id: 'eu',
        status: 'online',
        workers: 1,
        lastSeenAt: 'x',
        releases: [],
        probes: [],
        networkSuspectSince: 'x',
      },
    ],
    deliveries: [{ status: 'failed', count: 2 }],
    refusedRecords: 2,
    backlogs: [{ queue: 'probe-eu', tasks: 9, oldestMs: 45_000 }],
    stuck: [],
    watchdog: {
      url: 'https://outside.test/…',
      everySeconds: 60,
      requires: ['checks'],
      state: 'failing',
      reason: 'The probe of eu does not respond.',
      since: null,
      lastPingAt: null,
    },
  });
  expect(found.map(({ name, state }) => `${name}: ${state}`)).toEqual([
    'region eu: warning',
    'backlog probe-eu: warning',
    'watches eu: warning',
    'schedule: failed',
    'workflows: ok',
    'alerts: warning',
    'records: warning',
    'watchdog: failed',
  ]);
});

test('the doctor names old builds that running workflows still need', () => {
  expect(judgeBuilds([]).state).toBe('ok');
  const workflows = new Map([
    ['scenarioRunWorkflow', 2],
    ['alertWorkflow', 1],
  ]);
  expect(judgeBuilds([{ build: '0.9.0-12ab', workflows }])).toMatchObject({
    state: 'warning',
    says: '0.9.0-12ab is needed by 2 scenarioRunWorkflow, 1 alertWorkflow',
  });
});
