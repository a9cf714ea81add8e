/** The fields of a ping. The check tests whether a host returns ICMP packets, how many, and how fast. */
import { z } from 'zod';
import type { PingSettings } from '../../contracts/kinds';
import type { ShapeProblem } from '../../schemas/issues';
import { allowFieldReferences } from '../allow-references';
import { hostShape, type KindShape, type Sent } from '../fields';

const DEFAULT_COUNT = 3;

const fields = {
  host: hostShape,
  count: z
    .int()
    .min(1)
    .max(10)
    .meta({ description: 'Number of packets of one check' })
    .default(DEFAULT_COUNT),
  lossPercent: z
    .int()
    .min(0)
    .max(99)
    .meta({ description: 'The check fails if a larger percentage of the packets is lost' })
    .default(50),
  p95Ms: z
    .int()
    .min(1)
    .max(60_000)
    .nullable()
    .meta({ description: '95% of the packets must be back within this many milliseconds' })
    .default(null),
};

const whole = z.object(allowFieldReferences(fields));

/** The time to start the program and to wait a second for the last packet. Each further packet adds `MS_BETWEEN`. */
const MS_FOR_ONE = 1_500;
const MS_BETWEEN = 200;

function findPingProblems({ timeoutMs, count }: Sent): readonly ShapeProblem[] {
  if (typeof timeoutMs !== 'number') return [];
  const packets = typeof count === 'number' ? count : DEFAULT_COUNT;
  const leastMs = MS_FOR_ONE + (packets - 1) * MS_BETWEEN;
  if (timeoutMs >= leastMs) return [];
  const message = `must be at least ${leastMs} for ${packets} packets`;
  return [{ path: 'timeoutMs', code: 'invalid_value', message }];
}

export const PING_SHAPE: KindShape<'ping'> = {
  schemaName: 'Ping',
  words: {
    label: 'Ping',
    title: 'Ping',
    about: 'Sends ICMP packets to a host',
    examplePath: '$.meanMs',
  },
  fields,
  secretFields: [],
  hasCertificate: false,
  findProblems: findPingProblems,
  read: (sent) => {
    const settings: PingSettings = whole.parse({ host: 'missing.invalid', ...sent });
    const url = `ping://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}`;
    return { check: { type: 'ping', settings }, url, targets: [{ path: 'host', url }] };
  },
};
