/** Describes a kind of resource (monitors or scenarios) for functions that handle both kinds. */
import type { ZodType } from 'zod';
import type { Fields } from '../../domain/definitions/layers';
import type { Layers, Resource } from '../../models/resources/resource';
import type { StoredStatus } from '../../models/results/statuses';
import type { SentVariable } from '../../schemas/fields';
import type { CheckedShape } from '../../schemas/issues';
import type { ServiceFields, WithRecent } from '../../schemas/responses/resources';
import type { ListPage } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';
import type { Sealed } from '../secrets/secret-variables';
import type { ResourcePort } from './resource-port';

/** Fields that the bodies of both kinds have. */
export interface ResourceBody {
  readonly enabled: boolean;
  readonly key: string | null;
}

/** Fields that both kinds compose from a body. */
export type ResourceFields = Pick<
  Resource,
  'intervalSeconds' | 'regions' | 'key' | 'alerts' | 'alertTargets' | 'dependsOn' | keyof Layers
> & { readonly variables: readonly SentVariable[] };

/** The fields that only the service sets. */
export type ResourceBase = Pick<
  Resource,
  | 'id'
  | 'accountId'
  | 'version'
  | 'revision'
  | 'state'
  | 'pausedAtMs'
  | 'pausedUntilMs'
  | 'pauseReason'
  | 'createdAtMs'
  | 'updatedAtMs'
  | 'anchorMs'
>;

/** The dependencies that kinds need. Both the API and the orchestrator have them. */
export type KindNeeds = Pick<
  Dependencies,
  | 'stores'
  | 'gateway'
  | 'clock'
  | 'sealers'
  | 'randomBytes'
  | 'configuredRegions'
  | 'findBlockedTarget'
  | 'proxyNames'
  | 'workflowUrl'
  | 'publicUrl'
>;

/**
 * The owner of a definition: an account, and the stored resource that the definition replaces. `stored` is null for a
 * new resource.
 */
export interface Owner<Entity> {
  readonly accountId: string;
  /** The id of the resource. It is also set for a new resource. */
  readonly id: string;
  readonly stored: Entity | null;
}

/** The types that a kind consists of, from the request body to the response. */
export interface KindTypes {
  readonly Body: ResourceBody;
  readonly Fields: ResourceFields;
  readonly Resource: Resource;
  readonly View: ServiceFields & { readonly id: string };
}

/** Facts about a kind that do not depend on stored data. */
export interface KindFacts<Types extends KindTypes> {
  readonly idKind: 'monitor' | 'scenario';
  readonly shape: CheckedShape<ZodType<Types['Body']>>;
  /** Fields of the response that a body cannot have. */
  readonly readOnlyFields: readonly string[];
  /** A minimal body. Every other field has a default. */
  readonly minimal: Readonly<Record<string, unknown>>;
  readonly response: ZodType<Types['View']>;
  readonly page: ZodType<ListPage<Types['View'] & WithRecent>>;
}

export interface Kind<Types extends KindTypes>
  extends ResourcePort<Types['Resource']>,
    Omit<KindFacts<Types>, 'idKind'> {
  /** Converts a body to fields. Throws one error for all problems. Values that are already stored are never refused. */
  readonly compose: (
    owner: Owner<Types['Resource']>,
    body: Types['Body'],
  ) => Promise<Types['Fields']>;
  readonly withFields: (base: ResourceBase, fields: Sealed<Types['Fields']>) => Types['Resource'];
  /** Returns the fields of the definition. Leaves out fields that the service manages. */
  readonly readFields: (resource: Types['Resource']) => Sealed<Types['Fields']>;
  /** Replaces the whole definition. Fields that the service manages stay. */
  readonly restore: (
    current: Types['Resource'],
    fields: Sealed<Types['Fields']>,
  ) => Types['Resource'];
  /** Returns the resource in the form of a body. If absent, this form is built for each call. */
  readonly buildView?: (resource: Types['Resource']) => Fields;
  /** Converts the resource to a response. A `status` of null means that nothing has been checked yet. */
  readonly present: (resource: Types['Resource'], status: StoredStatus | null) => Types['View'];
}

/** Picks the fields that monitors and scenarios share, for `withFields`. */
export function pickBase(resource: Resource): ResourceBase & Pick<Resource, 'managedBy'> {
  const { managedBy } = resource;
  return {
    id: resource.id,
    accountId: resource.accountId,
    version: resource.version,
    revision: resource.revision,
    state: resource.state,
    pausedAtMs: resource.pausedAtMs,
    pausedUntilMs: resource.pausedUntilMs,
    pauseReason: resource.pauseReason,
    createdAtMs: resource.createdAtMs,
    updatedAtMs: resource.updatedAtMs,
    anchorMs: resource.anchorMs,
    ...(managedBy !== undefined && { managedBy }),
  };
}

/** Returns the resource without ids, versions, times and state. */
export function withoutBase<Entity extends Resource>({
  id: _id,
  accountId: _accountId,
  version: _version,
  revision: _revision,
  state: _state,
  pausedAtMs: _pausedAtMs,
  pausedUntilMs: _pausedUntilMs,
  pauseReason: _pauseReason,
  createdAtMs: _createdAtMs,
  updatedAtMs: _updatedAtMs,
  anchorMs: _anchorMs,
  managedBy: _managedBy,
  ...fields
}: Entity) {
  return fields;
}
