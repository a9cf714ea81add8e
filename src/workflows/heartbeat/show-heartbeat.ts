/** Shows a heartbeat in the Temporal UI. The view must not contain a name, text or token. */
import { setCurrentDetails } from '@temporalio/workflow';
import type { HeartbeatState } from '../../contracts/heartbeat-workflow';
import { formatInstant, healthKey, publish, regionsKey, stateKey } from '../loop/show';

export function showHeartbeat({ config, health, progress }: HeartbeatState): void {
  const { lastPingAtMs, dueAtMs, running } = progress;
  setCurrentDetails(
    [
      `**${config.paused ? 'paused' : health.health}** since ${formatInstant(health.sinceMs)}`,
      '',
      `[heartbeat ${config.id}](/monitors/${config.id})`,
      '',
      `- last ping ${lastPingAtMs === null ? 'none yet' : formatInstant(lastPingAtMs)}`,
      `- next ping due ${dueAtMs === null ? 'not known' : formatInstant(dueAtMs)}`,
      `- runs under way: ${running.length}`,
    ].join('\n'),
  );
  publish([
    { key: stateKey, value: config.paused ? 'paused' : 'active' },
    { key: healthKey, value: health.health },
    { key: regionsKey, value: [...config.regions] },
  ]);
}
