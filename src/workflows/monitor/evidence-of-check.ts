/** What was counted in a slot of a monitor, for whoever asks why people were notified. Pure. */
import type { IncidentEvidence, MonitorCheckRecord } from '../../contracts/records';
import type { MonitorState } from '../../contracts/workflows';

/** The state is that after the slot. */
export function evidenceOf(
  slotMs: number,
  heard: MonitorCheckRecord['outcomes'],
  { health, config }: MonitorState,
): IncidentEvidence {
  const { failuresBeforeDown, quorum } = config;
  const known = heard.filter(({ outcome }) => outcome.status !== 'unknown');
  const failing = known.filter(({ outcome }) => outcome.status === 'down').length;
  const { failures } = health;
  return { slotMs, failures, failuresBeforeDown, regions: known.length, failing, quorum };
}
