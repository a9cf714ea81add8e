/** Scenarios as people defined them. It must not hold anything that a run writes. */
import type { Model } from 'mongoose';
import type { ScenarioStep } from '../../contracts/definition';
import { defineCollection } from '../store/define-schema';
import { type DerivedFields, derivedOf } from '../store/derived-fields';
import { fromJsonText, toJsonText } from '../store/json-text';
import { keyField, type Stored } from '../store/versioned-store';
import type { Resource, ResourceStore } from './resource';
import {
  createResourceStore,
  dependsOnField,
  resourceFields,
  resourceIndexes,
  resourceOf,
} from './resources';

export interface Scenario extends Resource {
  readonly steps: readonly ScenarioStep[];
  readonly timeoutSeconds: number;
  readonly onFailure: 'stop' | 'continue';
  /** Steps keep cookies from one to the next. */
  readonly cookies: boolean;
}

export type ScenarioStore = ResourceStore<Scenario>;

export type ScenarioDocument = Stored<Omit<Scenario, 'steps'>> &
  DerivedFields & {
    /** The steps as JSON text. */
    readonly steps: string;
    /** For metrics, which read no definition. */
    readonly stepCount: number;
  };

export const scenarioCollection = defineCollection<ScenarioDocument>(
  'scenarios',
  {
    ...resourceFields,
    steps: String,
    stepCount: Number,
    timeoutSeconds: Number,
    onFailure: String,
    cookies: Boolean,
  },
  { indexes: resourceIndexes },
);

export function createScenarioStore(
  scenarios: Model<ScenarioDocument>,
  remove: ScenarioStore['remove'],
): ScenarioStore {
  return createResourceStore({
    model: scenarios,
    toDocument,
    fromDocument,
    remove,
  });
}

function toDocument({ id, key, dependsOn, steps, ...scenario }: Scenario): ScenarioDocument {
  const derived = derivedOf(scenario, steps);
  const stored = { steps: toJsonText(steps), stepCount: steps.length };
  return {
    ...scenario,
    ...derived,
    ...keyField(key),
    ...dependsOnField(dependsOn),
    _id: id,
    ...stored,
  };
}

function fromDocument(document: ScenarioDocument): Scenario {
  const { steps, timeoutSeconds, onFailure, cookies } = document;
  return Object.assign({}, resourceOf(document), {
    steps: fromJsonText<ScenarioStep[]>(steps),
    timeoutSeconds,
    onFailure,
    cookies,
  });
}
