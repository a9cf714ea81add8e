/** The draft of a heartbeat in its form, and the body that /v1 accepts. Pure. */
import { heartbeatOptionFields } from '../../../../schemas/heartbeat';
import { validate } from '../../../../schemas/issues';
import { readList, readRecord, readText } from '../../../../schemas/loose';
import { monitorBody } from '../../../../schemas/monitor';
import {
  type DefinitionDraft,
  definitionBody,
  readCount,
  readDefinition,
} from '../../../shared/definition/definition-draft';
import type { DefinitionKind, ReadDraft } from '../../../shared/definition/definition-kind';
import {
  type OptionDraft,
  type OptionTexts,
  optionsBody,
  readOptions,
  type Values,
} from '../../../shared/definition/options';
import { newRowId } from '../../../shared/form/assertions/assertion-draft';

/** A text or pattern that makes a run fail when the job's output contains or matches it. */
export interface FailOnRow {
  readonly rowId: string;
  readonly by: 'contains' | 'matches';
  readonly text: string;
}

export interface HeartbeatDraft extends DefinitionDraft, OptionDraft<typeof heartbeatOptionFields> {
  readonly kind: 'every' | 'cron';
  readonly everySeconds: number | null;
  readonly cron: string;
  readonly timeZone: string;
  readonly failOn: readonly FailOnRow[];
}

/** Texts of the heartbeat options. To add an option to the form, add its texts here. */
export const HEARTBEAT_OPTION_TEXTS: OptionTexts<typeof heartbeatOptionFields> = {
  graceSeconds: { label: 'Grace', description: 'A later ping is a failure.', isDuration: true },
  earlySeconds: {
    label: 'Early',
    description: 'A ping this long before it is due counts as on time.',
    isDuration: true,
  },
  maxRunSeconds: {
    label: 'Longest run',
    description: 'A longer run is a failure.',
    isDuration: true,
  },
  minRunSeconds: {
    label: 'Shortest run',
    description: 'A shorter run is a failure.',
    isDuration: true,
  },
};

const DAY_SECONDS = 86_400;

export function newFailOnRow(): FailOnRow {
  return { rowId: newRowId(), by: 'contains', text: '' };
}

function toDraft(body: unknown): HeartbeatDraft {
  const given = readRecord(body);
  const { everySeconds, cron, timeZone } = readRecord(given['schedule']);
  return {
    ...readDefinition(given),
    ...readOptions(heartbeatOptionFields, given),
    kind: typeof cron === 'string' ? 'cron' : 'every',
    everySeconds: readCount(everySeconds) ?? DAY_SECONDS,
    cron: readText(cron) || '0 2 * * *',
    timeZone: readText(timeZone) || timeZoneFor(cron),
    failOn: readList(given['failOn']).map(readFailOn),
  };
}

/**
 * Returns the zone of the schedule. A stored schedule without a zone is in UTC. A new schedule gets the zone of the
 * browser.
 */
function timeZoneFor(cron: unknown): string {
  if (typeof cron === 'string') return 'UTC';
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function readFailOn(given: unknown): FailOnRow {
  const { contains, matches } = readRecord(given);
  return typeof matches === 'string'
    ? { rowId: newRowId(), by: 'matches', text: matches }
    : { rowId: newRowId(), by: 'contains', text: readText(contains) };
}

function toBody(draft: HeartbeatDraft): Values {
  const { name, kind, everySeconds, cron, timeZone, failOn } = draft;
  return {
    type: 'heartbeat',
    name,
    schedule: kind === 'cron' ? { cron, timeZone } : { everySeconds: everySeconds ?? undefined },
    ...optionsBody(heartbeatOptionFields, draft),
    ...(failOn.length === 0 ? {} : { failOn: failOn.map(({ by, text }) => ({ [by]: text })) }),
    ...definitionBody(draft),
  };
}

function readTyped(typed: unknown): ReadDraft<HeartbeatDraft> {
  const checked = validate(monitorBody, typed);
  if (!checked.ok) return { ok: false, problems: checked.problems };
  if (checked.value.type !== 'heartbeat')
    return { ok: false, problems: [{ path: 'type', message: 'must be heartbeat' }] };
  return { ok: true, draft: toDraft(typed) };
}

export const HEARTBEAT: DefinitionKind<HeartbeatDraft> = {
  title: 'Heartbeat',
  path: '/v1/monitors',
  page: '/monitors',
  reads: ['/v1/monitors', '/v1/checks', '/v1/overview'],
  createWord: 'Create heartbeat',
  created: 'Heartbeat created. Send it a first ping.',
  toDraft,
  toBody,
  findProblems: (draft) => {
    const checked = validate(monitorBody, toBody(draft));
    return checked.ok ? [] : checked.problems;
  },
  readTyped,
  mask: (draft) => draft,
  unmask: (typed) => typed,
};
