/** The common parts of monitors and scenarios as use cases see them. Shapes only. */
import type { AlertRules, AlertTarget } from '../../contracts/alerts';
import type { Guidance, ResourceState, Variable } from '../../contracts/definition';
import type { MaintenanceTarget, OutsideMode } from '../../contracts/maintenance';
import type { ListQuery, Page } from '../store/pages';
import type { VersionedStore } from '../store/versioned-store';

/** Filters for lists of monitors or scenarios; all given parts must match. */
export interface ResourceFilter {
  /** The state at the given time, since a pause may end by itself. */
  readonly state?: { readonly name: Resource['state']; readonly nowMs: number } | undefined;
  /** True if a pause is in force at the given time. */
  readonly pause?: { readonly isInForce: boolean; readonly nowMs: number } | undefined;
  /** True if any of the targets includes it. */
  readonly targets?:
    | { readonly any: readonly MaintenanceTarget[]; readonly isTargeted: boolean }
    | undefined;
  /** The group itself and the groups nested in it. */
  readonly group?: string | undefined;
  readonly tag?: string | undefined;
  /** Key of the service hours that it uses. */
  readonly hours?: string | undefined;
  readonly region?: string | undefined;
  /** A part of the search text, in lower case; matched literally. */
  readonly search?: string | undefined;
}

/** The fields that monitors and scenarios have in common. */
export interface Resource extends Guidance {
  readonly id: string;
  readonly accountId: string;
  /** Grows with every change that people make; the ETag. */
  readonly version: number;
  /** The definition revision in force; grows when the definition changes. */
  readonly revision: number;
  readonly state: ResourceState;
  /** The beginning of the pause, or of the last one if the resource is active; null: it was never paused. */
  readonly pausedAtMs: number | null;
  /** The end of that pause; null: it has none. */
  readonly pausedUntilMs: number | null;
  readonly pauseReason: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Slots are anchor + k × interval. */
  readonly anchorMs: number;
  readonly name: string;
  readonly intervalSeconds: number;
  readonly regions: readonly string[];
  readonly group: string | null;
  readonly groupKey: string;
  readonly tags: readonly string[];
  readonly key: string | null;
  /** The set under which apply created it; absent if it was created otherwise. */
  readonly managedBy?: string;
  /** The recipients of alerts, and the events that notify them. */
  readonly alerts: Omit<AlertRules, 'targets' | 'policy'> & {
    readonly emails: readonly string[];
    readonly policy: string | null;
  };
  /** The targets of the alerts, as of when the alerts were saved. */
  readonly alertTargets: readonly AlertTarget[];
  /** Ids of monitors and scenarios whose failure explains a failure of this one; some may be deleted. */
  readonly dependsOn: readonly string[];
  /** Key of the service hours that it uses; null: none. */
  readonly hours: string | null;
  readonly outside: OutsideMode;
  /** Name, hosts and key in lower case, for searches. */
  readonly searchText: string;
  /** Values of secret variables are encrypted. */
  readonly variables: readonly Variable[];
}

export interface ResourceListQuery extends ListQuery {
  readonly filter?: ResourceFilter;
  /** Only these, in addition to the filter. */
  readonly ids?: readonly string[];
}

/** The part that monitors and scenarios share: versioned definitions that a check never writes. */
export interface ResourceStore<Entity>
  extends Pick<VersionedStore<Entity>, 'create' | 'find' | 'count' | 'replace'> {
  readonly list: (accountId: string, query: ResourceListQuery) => Promise<Page<Entity>>;
  /** True when something was deleted; its revisions, results and status are deleted, too. */
  readonly remove: (accountId: string, id: string) => Promise<boolean>;
}
