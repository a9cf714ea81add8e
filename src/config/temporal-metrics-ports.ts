/** Which ports all-in-one takes from KEEPWATCH_TEMPORAL_METRICS on, one for each process. */

import { splitAddress } from './setting-shapes';
import { type Settings, SettingsError } from './settings';

const PORT_MAX = 65_535;

interface TemporalMetricsPorts {
  /** Of the Temporal server, which listens on loopback whatever the setting says. */
  readonly server: number;
  /** `host:port` of the orchestrator. */
  readonly orchestrator: string;
  /** `host:port` of the probe. */
  readonly probe: string;
  readonly all: readonly number[];
}

/** undefined: no metrics are asked for. Throws where the last port would be beyond 65535. */
export function temporalMetricsPorts({
  KEEPWATCH_TEMPORAL_METRICS: address,
}: Pick<Settings, 'KEEPWATCH_TEMPORAL_METRICS'>): TemporalMetricsPorts | undefined {
  if (address === undefined) return undefined;
  const { host, port } = splitAddress(address);
  const all = [port, port + 1, port + 2];
  if (port + 2 > PORT_MAX)
    throw new SettingsError(['KEEPWATCH_TEMPORAL_METRICS leaves no port for each process']);
  return {
    server: port,
    orchestrator: `${host}:${port + 1}`,
    probe: `${host}:${port + 2}`,
    all,
  };
}
