/** The calendar of an account: its maintenance windows and the times outside of its hours, as one list. */
import type { MaintenanceTarget, OutsideMode, SpanMode } from '../../contracts/maintenance';
import type { ServiceHours } from '../../models/maintenance/hours';
import type { MaintenanceWindow } from '../../models/maintenance/maintenance-windows';
import type { Dependencies } from '../ports/dependencies';

/** A window, or hours together with one of the two modes in which resources can use them. */
export interface CalendarEntry
  extends Pick<
    MaintenanceWindow,
    'id' | 'occurrences' | 'effectiveFromMs' | 'endedAtMs' | 'isDeleted'
  > {
  readonly mode: SpanMode;
  readonly target: MaintenanceTarget;
}

type Stores = Pick<Dependencies['stores'], 'maintenanceWindows' | 'hours'>;

/** Makes two small reads in parallel. */
export async function readEntries(
  { maintenanceWindows, hours }: Stores,
  accountId: string,
): Promise<readonly CalendarEntry[]> {
  const [windows, all] = await Promise.all([
    maintenanceWindows.listAll(accountId),
    hours.listAll(accountId),
  ]);
  return [...windows, ...all.flatMap(entriesOfHours)];
}

const MODES: Readonly<Record<OutsideMode, SpanMode>> = { quiet: 'quiet', rest: 'pause' };

/** One entry for each mode in which resources can use the hours. */
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
