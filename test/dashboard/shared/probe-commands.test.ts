/** Commands that start a probe on another machine. */
import { probeCommands } from '../../../src/dashboard/shared/text/probe-commands';

const start = { key: 'prk_x', origin: 'https://keepwatch.example.com' };
const temporalIn = (temporalAddress: string | null) =>
  /TEMPORAL_ADDRESS=(\S+)/.exec(probeCommands({ ...start, temporalAddress }).node)?.[1];

test.each([
  ['temporal.internal:7234', 'temporal.internal:7234'],
  ['127.0.0.1:41234', 'keepwatch.example.com:41234'],
  ['localhost:7233', 'keepwatch.example.com:7233'],
  ['[::1]:7233', 'keepwatch.example.com:7233'],
  [null, 'keepwatch.example.com:7233'],
])('the service URL %s is reached from another machine as %s', (address, reached) => {
  expect(temporalIn(address)).toBe(reached);
});

test('both ways to start a probe have the same three settings', () => {
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
});
