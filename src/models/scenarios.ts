/** Scenarios as people defined them. It must not hold anything that a run writes. */
import type { Model } from 'mongoose';
import type { StepDefinition } from '../contracts/definition';
import type { ScenarioRow } from '../services/rows';
import type { ScenarioStore } from '../services/stores';
import { defineCollection } from './define-schema';
import { fromJsonText, toJsonText } from './json-text';
import {
  createResourceStore,
  keyField,
  resourceFields,
  resourceIndexes,
  type Stored,
} from './resources';

export type ScenarioDocument = Stored<Omit<ScenarioRow, 'steps'>> & {
  /** The steps as JSON text. */
  readonly steps: string;
};

export const scenarioCollection = defineCollection<ScenarioDocument>(
  'scenarios',
  { ...resourceFields, steps: String, timeoutSeconds: Number, onFailure: String },
  { indexes: resourceIndexes },
);

export function createScenarioStore(
  scenarios: Model<ScenarioDocument>,
  remove: ScenarioStore['remove'],
): ScenarioStore {
  return createResourceStore({
    model: scenarios,
    toDocument,
    toRow,
    remove,
  });
}

function toDocument({ id, key, steps, ...scenario }: ScenarioRow): ScenarioDocument {
  return { ...scenario, ...keyField(key), _id: id, steps: toJsonText(steps) };
}

function toRow({ _id, key, steps, ...scenario }: ScenarioDocument): ScenarioRow {
  return { ...scenario, id: _id, key: key ?? null, steps: fromJsonText<StepDefinition[]>(steps) };
}
