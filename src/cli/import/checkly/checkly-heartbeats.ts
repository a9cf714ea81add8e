/** Imports heartbeats of Checkly. Jobs must then report to new URLs. */

import {
  dropEmptyFields,
  type Fields,
  importSchedule,
  type NoteTaker,
  noteFields,
} from '../imported';
import type { Construct } from './checkly-language';

const KINDS: readonly string[] = ['HeartbeatMonitor', 'HeartbeatCheck'];
const SECONDS: Readonly<Record<string, number>> = {
  seconds: 1,
  minutes: 60,
  hours: 3_600,
  days: 86_400,
};

/** Fields that cannot be imported. */
const UNSUPPORTED: readonly string[] = ['description', 'muted', 'triggerIncident'];

export function isHeartbeat(kind: string): boolean {
  return KINDS.includes(kind);
}

/**
 * Converts a heartbeat. `fields` include the values of the group and the configuration. Returns null and adds a note if
 * the period cannot be read.
 */
export function importHeartbeat(
  { id }: Pick<Construct, 'id'>,
  fields: Fields,
  { findKey, note }: NoteTaker & { readonly findKey: (id: string) => string },
): Fields | null {
  const { name, tags, activated } = fields;
  const seconds = readSeconds(fields['period'], fields['periodUnit']);
  if (seconds === null) {
    note('has no period that can be read; left out');
    return null;
  }
  noteFields(fields, UNSUPPORTED, { note });
  note('has a new ping URL: let its job report to the pingUrl of the heartbeat');
  return dropEmptyFields({
    type: 'heartbeat',
    key: findKey(id),
    name: typeof name === 'string' ? name : id,
    schedule: importSchedule(seconds, { note }),
    graceSeconds: readSeconds(fields['grace'], fields['graceUnit']),
    tags,
    enabled: activated === false ? false : null,
  });
}

function readSeconds(count: unknown, unit: unknown): number | null {
  const seconds = Number(count) * (SECONDS[String(unit)] ?? Number.NaN);
  return typeof count === 'number' && Number.isFinite(seconds) ? seconds : null;
}
