/** Replaces the whole definition of a scenario. A run that has begun keeps the version it began with. */
import type { ScenarioBody } from '../schemas/scenario';
import { composeScenarioFields, type ScenarioFields } from './compose-scenario';
import type { Dependencies } from './dependencies';
import { findStatus } from './find-status';
import { pauseChange } from './pause-change';
import { presentScenario, type ScenarioAnswer } from './present-scenario';
import { keepingSealed } from './resolve-alerts';
import { scenarioPort } from './resource-port';
import type { ScenarioRow } from './rows';
import { findLiveRow, saveChange } from './save-resource';
import { type Sealed, sealVariables } from './secret-variables';

export interface ReplaceScenario {
  readonly id: string;
  readonly body: ScenarioBody;
  /** null: the pause stays as it is. */
  readonly isEnabled: boolean | null;
  /** Throws when the stored version is not the one that the caller knows. */
  readonly accept: (version: number) => void;
}

/** Keeps the version when nothing changes; a changed interval begins a new grid of slots. */
export async function replaceScenario(
  needs: Dependencies,
  accountId: string,
  { id, body, isEnabled, accept }: ReplaceScenario,
): Promise<ScenarioAnswer> {
  const port = scenarioPort(needs);
  const find = async (): Promise<ScenarioRow> => {
    const row = await findLiveRow(port, accountId, id);
    accept(row.version);
    return row;
  };
  await find();
  const fields = await composeScenarioFields(needs, accountId, body);
  const nowMs = needs.clock.now();
  const row = await saveChange(needs, port, {
    find,
    change: (previous) => {
      const sealed = sealVariables(needs, previous, fields);
      return pauseChange(withFields(previous, sealed, nowMs), isEnabled, nowMs);
    },
  });
  return presentScenario(needs, row, await findStatus(needs, row));
}

function withFields(row: ScenarioRow, fields: Sealed<ScenarioFields>, nowMs: number): ScenarioRow {
  const isSameGrid = row.intervalSeconds === fields.intervalSeconds;
  const kept = keepingSealed(fields, row.alertTargets);
  return { ...row, ...fields, ...kept, anchorMs: isSameGrid ? row.anchorMs : nowMs };
}
