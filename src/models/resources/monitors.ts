/** Monitors as people defined them. It must not hold anything that a check writes. */
import type { Model } from 'mongoose';
import type { StepDefinition } from '../../contracts/definition';
import { defineCollection } from '../store/define-schema';
import { type DerivedFields, derivedOf } from '../store/derived-fields';
import { fromJsonText, toJsonText } from '../store/json-text';
import type { Resource, ResourceStore } from './resource';
import {
  createResourceStore,
  keyField,
  resourceFields,
  resourceIndexes,
  type Stored,
} from './resources';

export interface Monitor extends Resource {
  readonly step: StepDefinition;
  readonly quorum: number | 'majority';
  readonly failuresBeforeDown: number;
  readonly successesBeforeUp: number;
}

export type MonitorStore = ResourceStore<Monitor>;

export type MonitorDocument = Stored<Omit<Monitor, 'step'>> &
  DerivedFields & {
    /** The step as JSON text. */
    readonly step: string;
  };

export const monitorCollection = defineCollection<MonitorDocument>(
  'monitors',
  {
    ...resourceFields,
    step: String,
    quorum: {},
    failuresBeforeDown: Number,
    successesBeforeUp: Number,
  },
  { indexes: resourceIndexes },
);

export function createMonitorStore(
  monitors: Model<MonitorDocument>,
  remove: MonitorStore['remove'],
): MonitorStore {
  return createResourceStore({
    model: monitors,
    toDocument,
    toRow,
    remove,
  });
}

function toDocument({ id, key, step, ...monitor }: Monitor): MonitorDocument {
  const derived = derivedOf(monitor, [step]);
  return { ...monitor, ...derived, ...keyField(key), _id: id, step: toJsonText(step) };
}

function toRow({
  _id,
  key,
  step,
  keyIds: _keys,
  secretNames: _names,
  ...monitor
}: MonitorDocument): Monitor {
  return { ...monitor, id: _id, key: key ?? null, step: fromJsonText<StepDefinition>(step) };
}
