/**
 * A kind of resource, monitors or scenarios: all that the verbs over both need to know of one. What
 * belongs to one kind alone stands in that kind's room; it must not grow a verb of its own.
 */
import type { ZodType } from 'zod';
import type { Resource } from '../../models/resources/resource';
import type { StoredStatus } from '../../models/results/statuses';
import type { SentVariable } from '../../schemas/fields';
import type { CheckedShape } from '../../schemas/issues';
import type { ServiceFields, WithRecent } from '../../schemas/responses/resources';
import type { ListPage } from '../lists/read-list';
import type { Sealed } from '../secrets/secret-variables';
import type { ResourcePort } from './resource-port';

/** What bodies of both kinds say. */
export interface ResourceBody {
  readonly enabled: boolean;
  readonly key: string | null;
}

/** What both kinds make of a body. */
export type ResourceFields = Pick<
  Resource,
  'intervalSeconds' | 'regions' | 'key' | 'alerts' | 'alertTargets' | 'dependsOn'
> & { readonly variables: readonly SentVariable[] };

/** What of a resource people do not define. */
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

/** Whose a definition is, and the resource that it replaces; null for a new one. */
export interface Owner<Entity> {
  readonly accountId: string;
  /** Of a new one: what it will have. */
  readonly id: string;
  readonly stored: Entity | null;
}

/** The types of a kind, from what is sent to what is shown. */
export interface KindTypes {
  readonly Body: ResourceBody;
  readonly Fields: ResourceFields;
  readonly Resource: Resource;
  readonly View: ServiceFields & { readonly id: string };
}

/** What is so of a kind whatever is stored. */
export interface KindFacts<Types extends KindTypes> {
  readonly idKind: 'monitor' | 'scenario';
  readonly shape: CheckedShape<ZodType<Types['Body']>>;
  /** Fields of the view that a body does not have. */
  readonly readOnlyFields: readonly string[];
  /** What a body must hold at the least; every other field has a default. */
  readonly minimal: Readonly<Record<string, unknown>>;
  readonly response: ZodType<Types['View']>;
  readonly page: ZodType<ListPage<Types['View'] & WithRecent>>;
}

export interface Kind<Types extends KindTypes>
  extends ResourcePort<Types['Resource']>,
    Omit<KindFacts<Types>, 'idKind'> {
  /** Throws one refusal with every problem; what is as it is stored is never refused. */
  readonly compose: (
    owner: Owner<Types['Resource']>,
    body: Types['Body'],
  ) => Promise<Types['Fields']>;
  readonly withFields: (base: ResourceBase, fields: Sealed<Types['Fields']>) => Types['Resource'];
  /** Without a status, nothing has been checked yet. */
  readonly present: (resource: Types['Resource'], status: StoredStatus | null) => Types['View'];
}
