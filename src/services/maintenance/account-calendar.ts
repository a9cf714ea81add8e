/** The calendar of an account. It is one list of maintenance windows, hours and the suspension. */
import type { MaintenanceTarget, OutsideMode, SpanMode } from '../../contracts/maintenance';
import type { Account } from '../../models/accounts/accounts';
import type { ServiceHours } from '../../models/maintenance/hours';
import type { MaintenanceWindow } from '../../models/maintenance/maintenance-windows';
import type { Dependencies } from '../ports/dependencies';

/** A maintenance window, or hours in one of their two modes. */
export interface CalendarEntry
  extends Pick<
    MaintenanceWindow,
    'id' | 'occurrences' | 'effectiveFromMs' | 'endedAtMs' | 'isDeleted'
  > {
  readonly mode: SpanMode;
  readonly target: MaintenanceTarget;
}

type Stores = Pick<Dependencies['stores'], 'maintenanceWindows' | 'hours' | 'accounts'>;

/** Reads the entries, with three small reads in parallel. */
export async function readEntries(
  { maintenanceWindows, hours, accounts }: Stores,
  accountId: string,
): Promise<readonly CalendarEntry[]> {
  const [windows, all, account] = await Promise.all([
    maintenanceWindows.listAll(accountId),
    hours.listAll(accountId),
    accounts.find(accountId),
  ]);
  return [...entriesOfSuspension(account), ...windows, ...all.flatMap(entriesOfHours)];
}

/** The length of a suspension in a plan. A suspension has no end, but Temporal's timers need one. */
const ENDLESS_MS = 10 * 366 * 86_400_000;

function entriesOfSuspension(account: Account | null): readonly CalendarEntry[] {
  if (account?.suspended === undefined) return [];
  const { atMs } = account.suspended;
  return [
    {
      id: account.id,
      mode: 'pause',
      occurrences: [{ fromMs: atMs, toMs: atMs + ENDLESS_MS }],
      effectiveFromMs: atMs,
      endedAtMs: null,
      isDeleted: false,
      target: { ids: [], tags: [], groups: [], all: true },
    },
  ];
}

const MODES: Readonly<Record<OutsideMode, SpanMode>> = { quiet: 'quiet', rest: 'pause' };

/** Returns the entries of hours. There is one entry for each mode. */
function entriesOfHours({
  id,
  key,
  closures,
  createdAtMs,
}: ServiceHours): readonly CalendarEntry[] {
  return (['quiet', 'rest'] as const).map((outside) => ({
    id,
    occurrences: closures,
    effectiveFromMs: createdAtMs,
    endedAtMs: null,
    isDeleted: false,
    mode: MODES[outside],
    target: { ids: [], tags: [], groups: [], all: false, outsideOf: { hours: key, outside } },
  }));
}
