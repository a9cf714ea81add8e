/** A heartbeat as its form holds it, and the body that it makes. Pure. */
import type { HeartbeatMonitor, Monitor } from '../../../shared/data/api-types';

export interface HeartbeatDraft {
  readonly name: string;
  readonly kind: 'every' | 'cron';
  readonly everySeconds: number | null;
  readonly cron: string;
  readonly timeZone: string;
  readonly graceSeconds: number | null;
  readonly maxRunSeconds: number | null;
  readonly minRunSeconds: number | null;
  readonly group: string;
  readonly key: string;
  readonly alerts: Monitor['alerts'];
  /** What the form does not show; it stays as it is. */
  readonly others: Pick<HeartbeatMonitor, 'tags' | 'failOn' | 'earlySeconds'> | null;
}

const DAY_SECONDS = 86_400;

export function newHeartbeatDraft(alerts: Monitor['alerts']): HeartbeatDraft {
  return {
    name: '',
    kind: 'every',
    everySeconds: DAY_SECONDS,
    cron: '0 2 * * *',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    graceSeconds: 300,
    maxRunSeconds: null,
    minRunSeconds: null,
    group: '',
    key: '',
    alerts,
    others: null,
  };
}

export function heartbeatDraftOf(monitor: HeartbeatMonitor): HeartbeatDraft {
  const { schedule, tags, failOn, earlySeconds } = monitor;
  const empty = newHeartbeatDraft(monitor.alerts);
  const planned =
    'cron' in schedule
      ? { kind: 'cron' as const, ...schedule }
      : { kind: 'every' as const, ...schedule };
  return {
    ...empty,
    ...planned,
    name: monitor.name,
    graceSeconds: monitor.graceSeconds,
    maxRunSeconds: monitor.maxRunSeconds,
    minRunSeconds: monitor.minRunSeconds,
    group: monitor.group ?? '',
    key: monitor.key ?? '',
    others: { tags, failOn, earlySeconds },
  };
}

export function heartbeatBodyOf(draft: HeartbeatDraft): object {
  const { name, kind, everySeconds, cron, timeZone, graceSeconds, others } = draft;
  return {
    type: 'heartbeat',
    name,
    schedule: kind === 'cron' ? { cron, timeZone } : { everySeconds: everySeconds ?? undefined },
    graceSeconds: graceSeconds ?? undefined,
    maxRunSeconds: draft.maxRunSeconds,
    minRunSeconds: draft.minRunSeconds,
    group: draft.group === '' ? null : draft.group,
    key: draft.key === '' ? null : draft.key,
    alerts: { ...draft.alerts },
    ...others,
  };
}
