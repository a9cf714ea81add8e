/** The ports of Temporal's metrics in all-in-one: one per process, from KEEPWATCH_TEMPORAL_METRICS. */

import { splitAddress } from './setting-shapes';
import { type Settings, SettingsError } from './settings';

const PORT_MAX = 65_535;

interface TemporalMetricsPorts {
  /** The port of the Temporal server's metrics, which is always on loopback. */
  readonly server: number;
  /** `host:port` of the orchestrator's metrics. */
  readonly orchestrator: string;
  /** `host:port` of the probe's metrics. */
  readonly probe: string;
  readonly all: readonly number[];
}

/**
 * Returns the ports. undefined means that the setting is not set. Throws a SettingsError if the last port would be
 * above 65535.
 */
export function computeTemporalMetricsPorts({
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
