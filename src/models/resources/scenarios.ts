/** Scenarios as people defined them. It must not hold anything that a run writes. */
import type { Model } from 'mongoose';
import type { Auth, ScenarioStep, WithAuth } from '../../contracts/definition';
import { withSentAuth } from '../../domain/definitions/auth';
import { defineCollection } from '../store/define-schema';
import { type DerivedFields, derivedOf } from '../store/derived-fields';
import { fromJsonText, toJsonText } from '../store/json-text';
import { keyField, type Stored } from '../store/versioned-store';
import type { Resource, ResourceStore } from './resource';
import {
  createResourceStore,
  resourceFields,
  resourceIndexes,
  resourceOf,
  sparseFields,
} from './resources';

/** With the authentication of those steps that have none of their own. */
export interface Scenario extends Resource, WithAuth {
  readonly steps: readonly ScenarioStep[];
  readonly timeoutSeconds: number;
  readonly onFailure: 'stop' | 'continue';
  /** Steps keep cookies from one to the next. */
  readonly cookies: boolean;
}

export type ScenarioStore = ResourceStore<Scenario>;

export type ScenarioDocument = Stored<Omit<Scenario, 'steps' | 'auth'>> &
  DerivedFields & {
    /** As JSON text. */
    readonly auth?: string;
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
    auth: String,
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

function toDocument({
  id,
  key,
  dependsOn,
  hours,
  steps,
  auth,
  ...scenario
}: Scenario): ScenarioDocument {
  const sent = steps.map((step) => withSentAuth(step, { auth }));
  const derived = derivedOf(scenario, sent);
  const stored = { steps: toJsonText(steps), stepCount: steps.length };
  return {
    ...scenario,
    ...derived,
    ...keyField(key),
    ...sparseFields({ dependsOn, hours }),
    _id: id,
    ...stored,
    ...(auth === undefined ? {} : { auth: toJsonText(auth) }),
  };
}

function fromDocument(document: ScenarioDocument): Scenario {
  const { steps, auth, timeoutSeconds, onFailure, cookies } = document;
  const shared = auth == null ? {} : { auth: fromJsonText<Auth>(auth) };
  return Object.assign({}, resourceOf(document), shared, {
    steps: fromJsonText<ScenarioStep[]>(steps),
    timeoutSeconds,
    onFailure,
    cookies,
  });
}
