/** Tests the commands that start a probe on another machine. */
import { probeCommands } from '../../../src/dashboard/shared/text/probe-commands';

const PUBLIC = 'https://keepwatch.example.com';
const start = { key: 'prk_x', origins: [PUBLIC], version: '0.1.0' };
const temporalIn = (temporalAddress: string | null) =>
  /TEMPORAL_ADDRESS=(\S+)/.exec(probeCommands({ ...start, temporalAddress }).node)?.[1];

test.each([
  ['temporal.internal:7234', 'temporal.internal:7234'],
  ['127.0.0.1:41234', 'keepwatch.example.com:41234'],
  ['localhost:7233', 'keepwatch.example.com:7233'],
  ['[::1]:7233', 'keepwatch.example.com:7233'],
  [null, 'keepwatch.example.com:7233'],
])('the Temporal address %s is reached from another machine as %s', (address, reached) => {
  expect(temporalIn(address)).toBe(reached);
});

test('the commands that start a probe with Node and with Docker have the same three settings', () => {
  const { node, docker } = probeCommands({ ...start, temporalAddress: null });
  const settings = [
    'KEEPWATCH_PROBE_KEY=prk_x',
    'KEEPWATCH_API_URL=https://keepwatch.example.com',
    'TEMPORAL_ADDRESS=keepwatch.example.com:7233',
  ];
  for (const setting of settings) {
    expect(node).toContain(`export ${setting}\n`);
    expect(docker).toContain(`--env ${setting} \\\n`);
  }
  expect(docker).toMatch(
    / {2}--env KEEPWATCH_ROLE=probe \\\n[\s\S]*\n {2}keepwatch\/keepwatch:0\.1\.0$/,
  );
});

test.each([
  [['https://keepwatch.example.com', 'http://localhost:3000'], PUBLIC, false],
  [['http://localhost:3000', 'https://keepwatch.example.com'], PUBLIC, false],
  [['http://localhost:3000', 'http://127.0.0.1:3000'], 'http://KEEPWATCH_HOST:3000', true],
  [['https://localhost'], 'https://KEEPWATCH_HOST', true],
])(
  'the commands that start a probe name a service at %j as %s',
  (origins, named, hasPlaceholder) => {
    const temporalAddress = '127.0.0.1:7233';
    const commands = probeCommands({ ...start, origins, temporalAddress });
    expect(commands.node).toContain(`export KEEPWATCH_API_URL=${named}\n`);
    expect(commands).toMatchObject({ hasPlaceholder, isTemporalLocal: true });
    expect(commands.docker).not.toMatch(/localhost|127\.0/);
  },
);
