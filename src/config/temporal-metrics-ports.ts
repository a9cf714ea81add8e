/** Which ports all-in-one takes from KEEPWATCH_TEMPORAL_METRICS on, one for each process. */

import { splitAddress } from './setting-shapes';
import { type Settings, SettingsError } from './settings';

const PORT_MAX = 65_535;

interface TemporalMetricsPorts {
  /** Of the Temporal server, which listens on loopback whatever the setting says. */
  readonly server: number;
  /** `host:port` of the orchestrator. */
  readonly orchestrator: string;
  /** Region → `host:port`, in the order of KEEPWATCH_REGIONS. */
  readonly probes: ReadonlyMap<string, string>;
  readonly all: readonly number[];
}

/** undefined: no metrics are asked for. Throws where the last port would be beyond 65535. */
export function temporalMetricsPorts({
  KEEPWATCH_TEMPORAL_METRICS: address,
  KEEPWATCH_REGIONS: regions,
}: Pick<Settings, 'KEEPWATCH_TEMPORAL_METRICS' | 'KEEPWATCH_REGIONS'>):
  | TemporalMetricsPorts
  | undefined {
  if (address === undefined) return undefined;
  const { host, port } = splitAddress(address);
  const all = Array.from({ length: 2 + regions.length }, (_, index) => port + index);
  if (port + regions.length + 1 > PORT_MAX)
    throw new SettingsError(['KEEPWATCH_TEMPORAL_METRICS leaves no port for each region']);
  return {
    server: port,
    orchestrator: `${host}:${port + 1}`,
    probes: new Map(regions.map((region, index) => [region, `${host}:${port + 2 + index}`])),
    all,
  };
}
