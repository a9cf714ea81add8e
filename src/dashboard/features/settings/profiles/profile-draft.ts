/**
 * The draft of a profile in its form. The form edits the common fields, and leaves all other fields unchanged. Pure.
 */
import { readList, readRecord, readText } from '../../../../schemas/loose';
import type { Profile } from '../../../shared/data/api-types';
import {
  type AlertsDraft,
  readAlerts,
  readCount,
} from '../../../shared/definition/definition-draft';
import { readWarnDays } from '../../../shared/definition/request-draft';
import { describeFields } from '../../../shared/form/problems/field-words';
import { type HeaderRow, readRows, toRecord } from '../../../shared/form/rows/rows';

/** A profile while it is edited. The profile sets only fields whose value is neither null nor empty. */
export interface ProfileDraft {
  readonly key: string;
  readonly name: string;
  readonly interval: number | null;
  readonly regions: readonly string[];
  readonly timeoutMs: number | null;
  readonly retries: number | null;
  readonly alerts: AlertsDraft | null;
  readonly hours: string;
  readonly headers: readonly HeaderRow[];
  readonly group: string;
  readonly tags: readonly string[];
  readonly warnDays: readonly number[] | null;
  /** Fields that the form does not show. */
  readonly others: Profile['set'];
}

const SHOWN: readonly string[] = [
  'interval',
  'regions',
  'timeoutMs',
  'retries',
  'alerts',
  'hours',
  'headers',
  'group',
  'tags',
];

export function createDraft(profile: Profile | null): ProfileDraft {
  const { key = '', name = '', set = {} } = profile ?? {};
  const tls = readRecord(set['tls']);
  return {
    key,
    name,
    interval: readCount(set['interval']),
    regions: readTexts(set['regions']),
    timeoutMs: readCount(set['timeoutMs']),
    retries: readCount(set['retries']),
    alerts: set['alerts'] === undefined ? null : readAlerts(set['alerts']),
    hours: readText(set['hours']),
    headers: readRows(set['headers']),
    group: readText(set['group']),
    tags: readTexts(set['tags']),
    warnDays: tls['warnDays'] === undefined ? null : readWarnDays(tls),
    others: Object.fromEntries(Object.entries(set).filter(([field]) => !SHOWN.includes(field))),
  };
}

export function buildBody(draft: ProfileDraft) {
  const { key, name, interval, regions, timeoutMs, retries, alerts, hours, others } = draft;
  const { group, tags, warnDays } = draft;
  const headers = toRecord(draft.headers);
  const { tls, ...rest } = others;
  const { warnDays: _warnDays, ...trust } = readRecord(tls);
  const allTls = { ...trust, ...(warnDays !== null && { warnDays }) };
  return {
    key,
    name,
    set: {
      ...rest,
      ...(Object.keys(allTls).length > 0 && { tls: allTls }),
      ...(interval !== null && { interval }),
      ...(regions.length > 0 && { regions }),
      ...(timeoutMs !== null && { timeoutMs }),
      ...(retries !== null && { retries }),
      ...(alerts !== null && { alerts }),
      ...(hours.trim() !== '' && { hours: hours.trim() }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(group.trim() !== '' && { group: group.trim() }),
      ...(tags.length > 0 && { tags }),
    },
  };
}

/** Describes the fields, like `Interval 30 s · Retries 1 · Headers`. */
export function describeProfile({ set }: Profile): string {
  const fields = describeFields(set);
  return fields.length === 0 ? 'No values yet' : fields.join(' · ');
}

function readTexts(value: unknown): readonly string[] {
  return readList(value).filter((item) => typeof item === 'string');
}
