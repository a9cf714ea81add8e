/** Tests which Temporal servers are too old or do not push cancellations, and the messages about them. */
import {
  findPushProblem,
  findVersionProblem,
  requireServerVersion,
  TEMPORAL_SERVER_MIN,
  warnWithoutPush,
} from '../../src/temporal/server-version';

const MIN = `${TEMPORAL_SERVER_MIN.major}.${TEMPORAL_SERVER_MIN.minor}`;

test.each(['1.31.9', '1.9.0', '0.99.0', 'v1.28.1'])(
  'server version %s is refused as too old, and the message names the needed version',
  (version) => {
    expect(findVersionProblem(version)).toContain(
      `${version}, but Keepwatch needs ${MIN} or newer`,
    );
  },
);

test.each(['1.32.0', '1.32.0-152.4', '1.40.0', '2.0.0', 'v1.32.0', 'unknown', ''])(
  'server version %j is accepted, because it is new enough or cannot be read',
  (version) => {
    expect(findVersionProblem(version)).toBeNull();
  },
);

test('a start against an old Temporal server ends with only the message about the version', async () => {
  const server = { getSystemInfo: async () => ({ serverVersion: '1.29.0' }) };
  await expect(requireServerVersion(server)).rejects.toMatchObject({
    name: 'UnfitServerError',
    message: expect.stringContaining('upgrade it'),
  });
});

test.each([
  ['nothing', undefined, ['frontend.WorkerCommandsEnabled', 'frontend.WorkerHeartbeatsEnabled']],
  [
    'no commands',
    { workerHeartbeats: true, workerCommands: false },
    ['frontend.WorkerCommandsEnabled', 'system.enableCancelActivityWorkerCommand'],
  ],
  [
    'no heartbeats of workers',
    { workerHeartbeats: false, workerCommands: true },
    ['frontend.WorkerHeartbeatsEnabled', 'system.enableCancelActivityWorkerCommand'],
  ],
])(
  'if a namespace reports %s, the advice names the settings to change',
  (_says, capabilities, settings) => {
    const problem = findPushProblem(capabilities);
    expect(problem?.says).toContain('does not push cancellations');
    for (const setting of settings) expect(problem?.advice).toContain(setting);
  },
);

test('Keepwatch warns once at its start if Temporal does not push cancellations', async () => {
  const warned: string[] = [];
  const logger = { warn: (sentence: string) => warned.push(sentence) };
  const server = (workerCommands: boolean) => ({
    describeNamespace: async ({ namespace }: { readonly namespace: string }) => ({
      namespaceInfo: {
        capabilities: {
          workerHeartbeats: true,
          workerCommands: workerCommands && namespace === 'n',
        },
      },
    }),
  });
  await warnWithoutPush(server(true), 'n', logger);
  expect(warned).toEqual([]);
  await warnWithoutPush(server(false), 'n', logger);
  expect(warned).toEqual([
    expect.stringMatching(
      /Set frontend\.WorkerCommandsEnabled and system\.enableCancel\w+ to true/,
    ),
  ]);
});
