/** Tests KEEPWATCH_TEMPORAL_METRICS: valid values, and the port of each process in all-in-one. */
import { readSettings } from '../../src/config/settings';
import { computeTemporalMetricsPorts } from '../../src/config/temporal-metrics-ports';

const read = (address: string) =>
  readSettings('all-in-one', { KEEPWATCH_TEMPORAL_METRICS: address });

test('each process of all-in-one gets its own port, starting at the configured port', () => {
  expect(computeTemporalMetricsPorts(read('127.0.0.1:9464'))).toEqual({
    server: 9464,
    orchestrator: '127.0.0.1:9465',
    probe: '127.0.0.1:9466',
    all: [9464, 9465, 9466],
  });
  expect(computeTemporalMetricsPorts(read('[::1]:9464'))?.orchestrator).toBe('[::1]:9465');
  expect(computeTemporalMetricsPorts(read(''))).toBeUndefined();
});

test('KEEPWATCH_TEMPORAL_METRICS is refused if its port leaves no ports for other processes', () => {
  expect(() => computeTemporalMetricsPorts(read('127.0.0.1:65534'))).toThrow('leaves no port');
});

test.each(['9464', 'localhost:9464', '127.0.0.1:0', '127.0.0.1:70000', '127.0.0.1'])(
  '%p is refused as KEEPWATCH_TEMPORAL_METRICS',
  (address) => {
    expect(() => read(address)).toThrow('KEEPWATCH_TEMPORAL_METRICS');
  },
);
