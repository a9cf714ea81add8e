/** Imports checks of Healthchecks from the JSON of its API (/api/v3/checks/). Ping URLs are not copied. */
import { z } from 'zod';
import {
  createKeyMaker,
  dropEmptyFields,
  type Fields,
  type Imported,
  type ImportNote,
  importDescription,
  importSchedule,
  type NoteTaker,
  noteFields,
} from './imported';

const checkShape = z.looseObject({
  name: z.string(),
  slug: z.string().nullish(),
  desc: z.string().nullish(),
  tags: z.string().nullish(),
  status: z.string().nullish(),
  grace: z.number().nullish(),
  timeout: z.number().nullish(),
  schedule: z.string().nullish(),
  tz: z.string().nullish(),
  /** Identifies the check for read-only API keys, which cannot read the uuid. */
  unique_key: z.string().nullish(),
});

/** Fields that are left out without a note to the user. */
const SILENT_FIELDS: readonly string[] = [
  'uuid',
  'n_pings',
  'started',
  'last_ping',
  'next_ping',
  'last_duration',
  'badge_url',
  'ping_url',
  'update_url',
  'pause_url',
  'resume_url',
  'channels',
];

export const healthchecksShape = z.looseObject({ checks: z.array(checkShape) });

type Check = z.output<typeof checkShape>;

export function importHealthchecks({ checks }: z.output<typeof healthchecksShape>): Imported {
  const keyOf = createKeyMaker();
  const notes: ImportNote[] = [];
  const monitors = checks.flatMap((check) => {
    const name = check.name || check.slug || 'Unnamed';
    const note = (message: string) => notes.push({ name, message });
    const schedule = importRhythm(check, { note });
    if (schedule === null) return [];
    noteStrays(check, { note });
    note('has a new ping URL: let its job report to the pingUrl of the heartbeat');
    const tags = (check.tags ?? '').split(' ').filter((tag) => tag !== '');
    const enabled = check.status === 'paused' ? false : null;
    const graceSeconds = check.grace ?? null;
    const key = keyOf(check.slug || name, check.unique_key);
    const named = { key, name, ...importDescription(check.desc) };
    return [
      dropEmptyFields({ type: 'heartbeat', ...named, schedule, graceSeconds, tags, enabled }),
    ];
  });
  return { monitors, env: [], notes };
}

function noteStrays(check: Check, taker: NoteTaker): void {
  const names = Object.keys(check).filter(
    (name) => !(name in checkShape.shape) && !SILENT_FIELDS.includes(name),
  );
  noteFields(check, names, taker);
  const { channels } = check;
  if (typeof channels === 'string' && channels !== '')
    taker.note('notifies channels of Healthchecks; name alert channels under alerts.channels');
}

function importRhythm({ schedule, tz, timeout }: Check, { note }: NoteTaker): Fields | null {
  if (schedule && schedule.trim().split(/\s+/).length === 5 && !schedule.includes('..'))
    return { cron: schedule, timeZone: tz ?? 'UTC' };
  if (!schedule && timeout) return importSchedule(timeout, { note });
  note(
    `has the schedule ${schedule ?? ''}, which is not a cron expression of five fields; it is left out`,
  );
  return null;
}
