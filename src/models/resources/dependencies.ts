/** Reads the dependencies between the monitors and scenarios of an account. Only parts of definitions are read. */
import type { ResourceKind } from '../../contracts/definition';
import type { DependencyNode } from '../../domain/definitions/dependencies';
import type { Models } from '../collections';
import { matchAny } from '../store/filters';
import type { MonitorDocument } from './monitors';

export interface DependencyStore {
  /** Returns all monitors and scenarios that are not being deleted, or those with the given ids. */
  readonly nodes: (
    accountId: string,
    ids?: readonly string[],
  ) => Promise<readonly DependencyNode[]>;
  /** True if another monitor or scenario depends on the resource. */
  readonly hasDependents: (accountId: string, id: string) => Promise<boolean>;
}

const PARTS = { key: 1, name: 1, dependsOn: 1 } as const;

type Parts = Pick<MonitorDocument, '_id' | 'key' | 'name' | 'dependsOn'>;

export function createDependencyStore({
  monitors,
  scenarios,
}: Pick<Models, 'monitors' | 'scenarios'>): DependencyStore {
  return {
    async nodes(accountId, ids) {
      const filter = {
        accountId,
        state: matchAny(['active', 'paused'] as const),
        ...(ids !== undefined && { _id: matchAny(ids) }),
      };
      const [ofMonitors, ofScenarios] = await Promise.all([
        monitors.find(filter, PARTS).lean<Parts[]>(),
        scenarios.find(filter, PARTS).lean<Parts[]>(),
      ]);
      return [
        ...ofMonitors.map((parts) => toNode('monitor', parts)),
        ...ofScenarios.map((parts) => toNode('scenario', parts)),
      ];
    },
    async hasDependents(accountId, id) {
      const filter = { accountId, dependsOn: id };
      const found = await Promise.all([monitors.exists(filter), scenarios.exists(filter)]);
      return found.some((one) => one !== null);
    },
  };
}

function toNode(kind: ResourceKind, { _id, key, name, dependsOn }: Parts): DependencyNode {
  return { kind, id: _id, key: key ?? null, name, dependsOn: dependsOn ?? [] };
}
