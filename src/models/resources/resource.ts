/** The types that monitors and scenarios share. */
import type { AlertRules, AlertTarget } from '../../contracts/alerts';
import type { Guidance, ResourceState, Variable } from '../../contracts/definition';
import type { Inherited } from '../../contracts/definitions/inherited';
import type { MaintenanceTarget, OutsideMode } from '../../contracts/maintenance';
import type { ListQuery, Page } from '../store/pages';
import type { VersionedStore } from '../store/versioned-store';

/** Filters for lists of monitors or scenarios. A resource must match all filters that are given. */
export interface ResourceFilter {
  /** The state at the given time, because a pause may end without a write. */
  readonly state?: { readonly name: Resource['state']; readonly nowMs: number } | undefined;
  /** Selects resources by whether a pause is in effect at the given time. */
  readonly pause?: { readonly isInForce: boolean; readonly nowMs: number } | undefined;
  /**
   * Selects resources that at least one target includes. If `isTargeted` is false, selects resources that no target
   * includes.
   */
  readonly targets?:
    | { readonly any: readonly MaintenanceTarget[]; readonly isTargeted: boolean }
    | undefined;
  /** The group. Resources in nested groups match, too. */
  readonly group?: string | undefined;
  readonly tag?: string | undefined;
  /** Key of the service hours that the resource uses. */
  readonly hours?: string | undefined;
  /** Key of the profile that the resource uses. */
  readonly profile?: string | undefined;
  /** Key of the environment that the resource uses. */
  readonly environment?: string | undefined;
  /** True for resources that inherit values from their environment or their account. */
  readonly inherits?: true | undefined;
  readonly region?: string | undefined;
  /** The text to find in `searchText`, in lower case. It is matched literally. */
  readonly search?: string | undefined;
}

/** Which values of a definition the resource itself sets, and which come from its profile. Absent without a profile. */
export interface Layers {
  /** Key of the profile. */
  readonly profile?: string | undefined;
  /** Names of the fields that the resource itself sets. Each header and variable has its own name: `headers.x-team`. */
  readonly own?: readonly string[] | undefined;
  /** Names of the fields that have the value of the profile. */
  readonly fromProfile?: readonly string[] | undefined;
  /** The version of the profile with which the definition was composed. */
  readonly profileVersion?: number | undefined;
}

/** The fields that monitors and scenarios have in common. */
export interface Resource extends Guidance, Layers {
  readonly id: string;
  readonly accountId: string;
  /** Grows with every change by users. It is the ETag of responses. */
  readonly version: number;
  /** The definition revision that checks use. It grows when the definition changes. */
  readonly revision: number;
  readonly state: ResourceState;
  /** The start of the current or last pause. null if never paused. */
  readonly pausedAtMs: number | null;
  /** The end of the current or last pause. null means that the pause has no end. */
  readonly pausedUntilMs: number | null;
  readonly pauseReason: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** The anchor of the slots, which are anchor + k × interval. */
  readonly anchorMs: number;
  readonly name: string;
  readonly intervalSeconds: number;
  readonly regions: readonly string[];
  readonly group: string | null;
  readonly groupKey: string;
  readonly tags: readonly string[];
  readonly key: string | null;
  /**
   * The `apply` set (`set:` in the file) that created the resource. Absent if the resource was created in another way.
   */
  readonly managedBy?: string;
  /** The recipients of alerts, and the events that cause alerts. */
  readonly alerts: Omit<AlertRules, 'targets' | 'policy'> & {
    readonly emails: readonly string[];
    readonly policy: string | null;
  };
  /** The recipients of the alerts, as they were when `alerts` was saved. */
  readonly alertTargets: readonly AlertTarget[];
  /** Ids of the resources that this resource depends on. Some of these resources may be deleted. */
  readonly dependsOn: readonly string[];
  /** Key of the service hours that the resource uses. null if there is none. */
  readonly hours: string | null;
  readonly outside: OutsideMode;
  /** The text that searches look in: name, hosts and key in lower case. */
  readonly searchText: string;
  /** The variables. The values of secret variables are encrypted. */
  readonly variables: readonly Variable[];
  /** Key of the environment. Absent if there is none. */
  readonly environment?: string | undefined;
  /** The values that the definition inherits from its environment and its account. Absent if there are none. */
  readonly inherited?: Inherited | undefined;
}

export interface ResourceListQuery extends ListQuery {
  readonly filter?: ResourceFilter;
  /** Selects only the resources with these ids that also match the filter. */
  readonly ids?: readonly string[];
}

/** The store methods that monitors and scenarios share. */
export interface ResourceStore<Entity>
  extends Pick<VersionedStore<Entity>, 'create' | 'find' | 'count' | 'replace'> {
  readonly list: (accountId: string, query: ResourceListQuery) => Promise<Page<Entity>>;
  /** Deletes the resource with its revisions, results and status. Resolves to true if it existed. */
  readonly remove: (accountId: string, id: string) => Promise<boolean>;
}
