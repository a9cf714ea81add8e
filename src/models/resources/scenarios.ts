/** Scenarios, as users have defined them. */
import type { Model } from 'mongoose';
import type { Auth, ScenarioStep } from '../../contracts/definition';
import type { Tls } from '../../contracts/definitions/tls';
import { withSecretNames } from '../../domain/definitions/inherit';
import { type SharedOptions, withSharedOptions } from '../../domain/definitions/shared-options';
import { defineCollection } from '../store/define-schema';
import { type DerivedFields, deriveFields } from '../store/derived-fields';
import { fromJsonText, toJsonText } from '../store/json-text';
import { type Stored, toKeyField } from '../store/versioned-store';
import type { Resource, ResourceStore } from './resource';
import {
  createResourceStore,
  resourceFields,
  resourceIndexes,
  toResource,
  toSparseFields,
} from './resources';

/** A scenario. Its shared options apply to steps that do not set them. */
export interface Scenario extends Resource, SharedOptions {
  readonly steps: readonly ScenarioStep[];
  readonly timeoutSeconds: number;
  readonly onFailure: 'stop' | 'continue';
  /** True if each step passes its cookies to the next step. */
  readonly cookies: boolean;
}

export type ScenarioStore = ResourceStore<Scenario>;

export type ScenarioDocument = Stored<Omit<Scenario, 'steps' | 'auth' | 'tls'>> &
  DerivedFields & {
    /** Scenario.auth as JSON text. */
    readonly auth?: string;
    /** Scenario.tls as JSON text. */
    readonly tls?: string;
    /** The steps as JSON text. */
    readonly steps: string;
    /** The number of steps. Metrics need it, because they do not read definitions. */
    readonly stepCount: number;
  };

export const scenarioCollection = defineCollection<ScenarioDocument>(
  'scenarios',
  {
    ...resourceFields,
    steps: String,
    auth: String,
    tls: String,
    proxy: String,
    ipFamily: String,
    httpVersion: String,
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

function toDocument(given: Scenario): ScenarioDocument {
  const { id, key, dependsOn, hours, environment, inherited, ...named } = given;
  const { profile, own, fromProfile, profileVersion, ...rest } = named;
  const { steps, auth, tls, proxy, ipFamily, httpVersion, ...scenario } = rest;
  const layers = { profile, own, fromProfile, profileVersion };
  const shared = steps.map((step) => withSharedOptions(step, given));
  const sent = withSecretNames(shared, inherited?.secrets);
  const derived = deriveFields(scenario, sent);
  const stored = { steps: toJsonText(steps), stepCount: steps.length };
  return {
    ...scenario,
    ...derived,
    ...toKeyField(key),
    ...toSparseFields({ dependsOn, hours, environment, inherited, ...layers }),
    _id: id,
    ...stored,
    ...(auth === undefined ? {} : { auth: toJsonText(auth) }),
    ...(tls === undefined ? {} : { tls: toJsonText(tls) }),
    ...(proxy === undefined ? {} : { proxy }),
    ...(ipFamily === undefined ? {} : { ipFamily }),
    ...(httpVersion === undefined ? {} : { httpVersion }),
  };
}

function fromDocument(document: ScenarioDocument): Scenario {
  const { steps, auth, tls, proxy, ipFamily, httpVersion } = document;
  const { timeoutSeconds, onFailure, cookies } = document;
  const shared = {
    ...(auth == null ? {} : { auth: fromJsonText<Auth>(auth) }),
    ...(tls == null ? {} : { tls: fromJsonText<Tls>(tls) }),
    ...(proxy == null ? {} : { proxy }),
    ...(ipFamily == null ? {} : { ipFamily }),
    ...(httpVersion == null ? {} : { httpVersion }),
  };
  return Object.assign({}, toResource(document), shared, {
    steps: fromJsonText<ScenarioStep[]>(steps),
    timeoutSeconds,
    onFailure,
    cookies,
  });
}
