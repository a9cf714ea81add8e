/** What monitors and scenarios have in common as use cases see them. Shapes only. */
import type { AlertRules, AlertTarget } from '../../contracts/alerts';
import type { Guidance, ResourceState, Variable } from '../../contracts/definition';
import type { MaintenanceTarget, OutsideMode } from '../../contracts/maintenance';
import type { ListQuery, Page } from '../store/pages';
import type { VersionedStore } from '../store/versioned-store';

/** What a list of monitors or scenarios can be narrowed to; every given part must hold. */
export interface ResourceFilter {
  /** As it is at the given time, since a pause may end by itself. */
  readonly state?: { readonly name: Resource['state']; readonly nowMs: number } | undefined;
  /** Whether a pause is in force at the given time. */
  readonly pause?: { readonly isInForce: boolean; readonly nowMs: number } | undefined;
  /** Whether any of the targets means it. */
  readonly targets?:
    | { readonly any: readonly MaintenanceTarget[]; readonly isTargeted: boolean }
    | undefined;
  /** The group itself and the groups nested in it. */
  readonly group?: string | undefined;
  readonly tag?: string | undefined;
  /** Key of the hours that it goes by. */
  readonly hours?: string | undefined;
  readonly region?: string | undefined;
  /** A part of the search text, in lower case; each character stands for itself. */
  readonly search?: string | undefined;
}

/** What every monitor and scenario holds beside its definition. */
export interface Resource extends Guidance {
  readonly id: string;
  readonly accountId: string;
  /** Grows with every change that people make; the ETag. */
  readonly version: number;
  /** The definition revision in force; grows when the definition changes. */
  readonly revision: number;
  readonly state: ResourceState;
  readonly pausedAtMs: number | null;
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
  /** The set under which apply made it; absent for what was made otherwise. */
  readonly managedBy?: string;
  /** Who hears of what. */
  readonly alerts: Omit<AlertRules, 'targets' | 'policy'> & {
    readonly emails: readonly string[];
    readonly policy: string | null;
  };
  /** Where the alerts led when they were saved. */
  readonly alertTargets: readonly AlertTarget[];
  /** Ids of monitors and scenarios whose failure explains one of this; some may be gone. */
  readonly dependsOn: readonly string[];
  /** Key of the hours that it goes by; null: none. */
  readonly hours: string | null;
  readonly outside: OutsideMode;
  /** Name, hosts and key in lower case: what a search looks at. */
  readonly searchText: string;
  /** Values of secret ones are sealed. */
  readonly variables: readonly Variable[];
}

export interface ResourceListQuery extends ListQuery {
  readonly filter?: ResourceFilter;
  /** Only these, whatever else is asked. */
  readonly ids?: readonly string[];
}

/** The part that monitors and scenarios share: versioned definitions that a check never writes. */
export interface ResourceStore<Entity>
  extends Pick<VersionedStore<Entity>, 'create' | 'find' | 'count' | 'replace'> {
  readonly list: (accountId: string, query: ResourceListQuery) => Promise<Page<Entity>>;
  /** True when something was deleted; its revisions, results and status go with it. */
  readonly remove: (accountId: string, id: string) => Promise<boolean>;
}
