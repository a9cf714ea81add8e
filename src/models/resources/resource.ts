/** What monitors and scenarios have in common. Types only. */
import type { AlertRules, AlertTarget } from '../../contracts/alerts';
import type { Guidance, ResourceState, Variable } from '../../contracts/definition';
import type { Inherited } from '../../contracts/definitions/inherited';
import type { MaintenanceTarget, OutsideMode } from '../../contracts/maintenance';
import type { ListQuery, Page } from '../store/pages';
import type { VersionedStore } from '../store/versioned-store';

/** Filters for lists of monitors or scenarios. All given filters must match. */
export interface ResourceFilter {
  /** The state at the given time, because a pause may end without a write. */
  readonly state?: { readonly name: Resource['state']; readonly nowMs: number } | undefined;
  /** True if a pause is in effect at the given time. */
  readonly pause?: { readonly isInForce: boolean; readonly nowMs: number } | undefined;
  /** Matches if any of the targets includes the resource. */
  readonly targets?:
    | { readonly any: readonly MaintenanceTarget[]; readonly isTargeted: boolean }
    | undefined;
  /** The group itself and the groups nested in it. */
  readonly group?: string | undefined;
  readonly tag?: string | undefined;
  /** Key of the service hours that the resource uses. */
  readonly hours?: string | undefined;
  /** Key of the profile that the resource uses. */
  readonly profile?: string | undefined;
  /** Key of the environment that the resource uses. */
  readonly environment?: string | undefined;
  /** True for resources that take values from their environment or their account. */
  readonly inherits?: true | undefined;
  readonly region?: string | undefined;
  /** A part of the search text in lower case. It is matched literally. */
  readonly search?: string | undefined;
}

/** How the effective definition was composed. Absent without a profile. */
export interface Layers {
  /** Key of the profile. */
  readonly profile?: string | undefined;
  /** Names of the resource's own fields and entries, like `headers.x-team`. */
  readonly own?: readonly string[] | undefined;
  /** Names of the fields that have the value of the profile. */
  readonly fromProfile?: readonly string[] | undefined;
  /** Version of the profile that the definition was composed with. */
  readonly profileVersion?: number | undefined;
}

/** The fields that monitors and scenarios have in common. */
export interface Resource extends Guidance, Layers {
  readonly id: string;
  readonly accountId: string;
  /** Grows with every change by users. Used as the ETag. */
  readonly version: number;
  /** The definition revision in use. Grows when the definition changes. */
  readonly revision: number;
  readonly state: ResourceState;
  /** The start of the current or last pause. null if never paused. */
  readonly pausedAtMs: number | null;
  /** The end of that pause. null means that the pause has no end. */
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
  /** The set with which `apply` created the resource. Absent if it was created in another way. */
  readonly managedBy?: string;
  /** The recipients of alerts, and the events of which they are notified. */
  readonly alerts: Omit<AlertRules, 'targets' | 'policy'> & {
    readonly emails: readonly string[];
    readonly policy: string | null;
  };
  /** The targets of the alerts at the time when the alerts were saved. */
  readonly alertTargets: readonly AlertTarget[];
  /** Ids of the resources that this resource depends on. They may be deleted. */
  readonly dependsOn: readonly string[];
  /** Key of the service hours that the resource uses. null if there is none. */
  readonly hours: string | null;
  readonly outside: OutsideMode;
  /** Name, hosts and key in lower case, for searches. */
  readonly searchText: string;
  /** Values of secret variables are encrypted. */
  readonly variables: readonly Variable[];
  /** Key of the environment. Absent if there is none. */
  readonly environment?: string | undefined;
  /** What the definition uses from its environment and its account. Absent means nothing. */
  readonly inherited?: Inherited | undefined;
}

export interface ResourceListQuery extends ListQuery {
  readonly filter?: ResourceFilter;
  /** Selects only these resources, in addition to the filter. */
  readonly ids?: readonly string[];
}

/** The store methods that monitors and scenarios share. */
export interface ResourceStore<Entity>
  extends Pick<VersionedStore<Entity>, 'create' | 'find' | 'count' | 'replace'> {
  readonly list: (accountId: string, query: ResourceListQuery) => Promise<Page<Entity>>;
  /** Resolves to true if the resource was deleted, together with its revisions, results and status. */
  readonly remove: (accountId: string, id: string) => Promise<boolean>;
}
