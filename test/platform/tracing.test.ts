/** Tests which spans are sampled, and their parents. The tests in test/ops cover the export to a collector. */
import { openTracing, type Tracing, type TracingOptions } from '../../src/platform/tracing';

const PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-(0[01])$/;

function open(options: Partial<TracingOptions> = {}): Promise<Tracing> {
  return openTracing({
    endpoint: 'http://127.0.0.1:1',
    sampler: 'parentbased_always_on',
    headers: {},
    ratio: 1,
    serviceName: 'test',
    role: 'probe',
    ...options,
  });
}

test.each([
  ['always_on', 0, true],
  ['always_off', 1, false],
  ['traceidratio', 0, false],
  ['traceidratio', 1, true],
  ['parentbased_always_on', 0, true],
  ['parentbased_always_off', 1, false],
  ['parentbased_traceidratio', 0, false],
  ['parentbased_traceidratio', 1, true],
] as const)(
  'the sampler %s with the ratio %p starts a sampled trace: %p',
  async (sampler, ratio, isSampled) => {
    const tracing = await open({ sampler, ratio });
    const { traceparent } = tracing.begin({ name: 'root', kind: 'SERVER' });
    expect(PARENT.exec(traceparent)?.[3]).toBe(isSampled ? '01' : '00');
  },
);

test('a child of an unsampled span is not sampled, and an unreadable parent starts a new trace', async () => {
  const tracing = await open();
  const traceId = 'a'.repeat(32);
  const parent = `00-${traceId}-${'b'.repeat(16)}-00`;
  const below = tracing.begin({ name: 'below', kind: 'CONSUMER', parent });
  expect(PARENT.exec(below.traceparent)).toMatchObject({ 1: traceId, 3: '00' });
  const root = tracing.begin({ name: 'root', kind: 'CONSUMER', parent: `${parent}-nonsense` });
  expect(PARENT.exec(root.traceparent)?.[1]).not.toBe(traceId);
});

test('code within a span belongs to the trace of the span, and other code to no trace', async () => {
  const tracing = await open({ sampler: 'always_off' });
  const outer = tracing.begin({ name: 'outer', kind: 'SERVER' });
  const inner = outer.run(() => tracing.begin({ name: 'inner', kind: 'CLIENT' }));
  expect(PARENT.exec(inner.traceparent)?.[1]).toBe(PARENT.exec(outer.traceparent)?.[1]);
  expect(await outer.run(async () => tracing.current())).toBe(outer.traceparent);
  expect(tracing.current()).toBeUndefined();
});
