/**
 * The draft of an alert policy in its form: rows for steps, and numbers that may be missing while the user types. Pure.
 */
import type { EscalationEnd, Weekday } from '../../../../contracts/escalation';
import type { AlertPolicy } from '../../../shared/data/api-types';
import { newRowId } from '../../../shared/form/assertions/assertion-draft';

export interface StepRow {
  readonly rowId: string;
  readonly afterMinutes: number | null;
  /** Ids of channels and members. */
  readonly notify: readonly string[];
  readonly until: EscalationEnd;
  readonly everyMinutes: number | null;
  readonly times: number | null;
  /** Key of the step's hours. null means at all times. */
  readonly hours: string | null;
}

export interface QuietDraft {
  readonly timeZone: string;
  readonly days: readonly Weekday[];
  readonly from: string;
  readonly to: string;
  readonly except: readonly string[];
}

export interface PolicyDraft {
  readonly key: string;
  readonly name: string;
  readonly steps: readonly StepRow[];
  /** null for no quiet hours. */
  readonly quietHours: QuietDraft | null;
  readonly lastResort: string | null;
}

/** The default time from the last step to a new step. */
const STEP_MINUTES = 15;

export function newStep(before: readonly StepRow[]): StepRow {
  const last = before.at(-1)?.afterMinutes ?? null;
  const afterMinutes = last === null ? 0 : last + STEP_MINUTES;
  return {
    rowId: newRowId(),
    afterMinutes,
    notify: [],
    until: 'acknowledged',
    everyMinutes: null,
    times: null,
    hours: null,
  };
}

export function createDraft(policy: AlertPolicy | null): PolicyDraft {
  if (policy === null)
    return { key: '', name: '', steps: [newStep([])], quietHours: null, lastResort: null };
  const { key, name, steps, quietHours, lastResort } = policy;
  return {
    key,
    name,
    steps: steps.map(({ afterMinutes, notify, until, repeat, hours }) => ({
      rowId: newRowId(),
      afterMinutes,
      notify,
      until,
      everyMinutes: repeat?.everyMinutes ?? null,
      times: repeat?.times ?? null,
      hours,
    })),
    quietHours,
    lastResort,
  };
}

export function buildBody({ key, name, steps, quietHours, lastResort }: PolicyDraft) {
  return {
    key,
    name,
    steps: steps.map(({ afterMinutes, notify, until, everyMinutes, times, hours }) => ({
      afterMinutes,
      notify,
      until,
      repeat: everyMinutes === null && times === null ? null : { everyMinutes, times },
      hours,
    })),
    quietHours,
    lastResort,
  };
}
