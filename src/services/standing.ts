/** Where a monitor or scenario stands, by what is stored of it: what a lost workflow begins with. */
import type { MonitorState, ScenarioState } from '../contracts/workflows';
import type { Dependencies } from './dependencies';
import { readPlan } from './maintenance-plans';
import type { MonitorRow, ResourceRow, ScenarioRow } from './rows';
import { type Standing, seedMonitorState, seedScenarioState } from './seed-state';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

/** Of a resource that was never checked, nothing but its row is known. */
export async function readStanding<Row extends ResourceRow>(
  needs: Needs,
  row: Row,
): Promise<Standing<Row>> {
  const { stores } = needs;
  const { accountId, id } = row;
  const [[status = null], incident, maintenance] = await Promise.all([
    stores.statuses.findMany(accountId, [id]),
    stores.incidents.findOpen(accountId, id),
    readPlan(needs, row),
  ]);
  const isTold = incident !== null && (await hasAlerts(needs, accountId, incident.id));
  return { row, status, incident, isTold, maintenance };
}

async function hasAlerts({ stores }: Needs, accountId: string, incidentId: string) {
  const any = { incidentId, resourceId: null, status: null, limit: 1, beforeId: null };
  return (await stores.alerts.page(accountId, any)).rows.length > 0;
}

/** With the configuration of now, the maintenance that is next included. */
export async function readMonitorState(needs: Needs, row: MonitorRow): Promise<MonitorState> {
  return seedMonitorState(await readStanding(needs, row), needs.clock.now());
}

/** As readMonitorState. */
export async function readScenarioState(needs: Needs, row: ScenarioRow): Promise<ScenarioState> {
  return seedScenarioState(await readStanding(needs, row), needs.clock.now());
}
