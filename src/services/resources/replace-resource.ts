/**
 * Replaces the whole definition of a monitor or scenario. A run that has begun keeps the version it
 * began with.
 */
import type { MonitorBody } from '../../schemas/monitor';
import type { ScenarioBody } from '../../schemas/scenario';
import { composeMonitorFields, type MonitorFields } from '../monitors/compose-monitor';
import type { MonitorAnswer } from '../monitors/present-monitor';
import type { Dependencies } from '../ports/dependencies';
import type { MonitorRow, ResourceRow, ScenarioRow } from '../ports/rows';
import { composeScenarioFields, type ScenarioFields } from '../scenarios/compose-scenario';
import type { ScenarioAnswer } from '../scenarios/present-scenario';
import type { Sealed } from '../secrets/secret-variables';
import { keepHeaders } from './keep-headers';
import { keepVariables } from './keep-variables';
import { pauseChange } from './pause-change';
import { keepingSealed, keepingTargets } from './resolve-alerts';
import { monitorPort, type ResourcePort, scenarioPort } from './resource-port';
import { findLiveRow, saveChange } from './save-resource';
import { showMonitor, showScenario } from './show-resource';

interface Replacement<Body> {
  readonly id: string;
  readonly body: Body;
  /** null: the pause stays as it is. */
  readonly isEnabled: boolean | null;
  /** Throws when the stored version is not the one that the caller knows. */
  readonly accept: (version: number) => void;
}

/** Keeps the version when nothing changes; a changed interval begins a new grid of slots. */
export async function replaceMonitor(
  needs: Dependencies,
  accountId: string,
  replacement: Replacement<MonitorBody>,
): Promise<MonitorAnswer> {
  const row = await replaceRow(needs, monitorPort(needs), {
    ...replacement,
    accountId,
    compose: (stored) => composeMonitorFields(needs, { accountId, stored }, replacement.body),
    merge: (previous: MonitorRow, fields: Sealed<MonitorFields>) => ({ ...previous, ...fields }),
  });
  return showMonitor(needs, row);
}

/** As replaceMonitor. */
export async function replaceScenario(
  needs: Dependencies,
  accountId: string,
  replacement: Replacement<ScenarioBody>,
): Promise<ScenarioAnswer> {
  const row = await replaceRow(needs, scenarioPort(needs), {
    ...replacement,
    accountId,
    compose: (stored) => composeScenarioFields(needs, { accountId, stored }, replacement.body),
    merge: (previous: ScenarioRow, fields: Sealed<ScenarioFields>) => ({ ...previous, ...fields }),
  });
  return showScenario(needs, row);
}

type ComposedFields = Pick<
  MonitorFields,
  'intervalSeconds' | 'alerts' | 'alertTargets' | 'variables'
>;

interface RowReplacement<Row, Fields> extends Replacement<unknown> {
  readonly accountId: string;
  readonly compose: (stored: Row) => Promise<Fields>;
  readonly merge: (previous: Row, fields: Sealed<Fields>) => Row;
}

async function replaceRow<Row extends ResourceRow, Fields extends ComposedFields>(
  needs: Dependencies,
  port: ResourcePort<Row>,
  { id, accountId, isEnabled, accept, compose, merge }: RowReplacement<Row, Fields>,
): Promise<Row> {
  const find = async (): Promise<Row> => {
    const row = await findLiveRow(port, accountId, id);
    accept(row.version);
    return row;
  };
  const fields = await compose(await find());
  const nowMs = needs.clock.now();
  return saveChange(needs, port, {
    find,
    change(previous) {
      const isSameGrid = previous.intervalSeconds === fields.intervalSeconds;
      const replaced = {
        ...merge(previous, keepVariables(needs, previous, keepHeaders(previous, fields))),
        alertTargets: keepingSealed(fields, previous.alertTargets).alertTargets,
        anchorMs: isSameGrid ? previous.anchorMs : nowMs,
      };
      return keepingTargets(previous, pauseChange(replaced, isEnabled, nowMs));
    },
  });
}
