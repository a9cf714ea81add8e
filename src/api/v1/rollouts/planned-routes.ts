/**
 * The routes that replace and patch a shared object, such as a profile. A rollout then updates the monitors and
 * scenarios that use the object. With `dryRun`, the routes return the plan for all these monitors and scenarios and
 * change nothing.
 */
import { z } from 'zod';
import type { ErrorCode } from '../../../contracts/error-codes';
import type { ResponseOf } from '../../../schemas/responses/parts';
import type { RolloutPlanResponse } from '../../../schemas/responses/rollouts';
import type { BodyChange, ObjectType } from '../../../services/objects/object-type';
import type { AccountObject } from '../../../services/objects/object-verbs';
import type { Dependencies } from '../../../services/ports/dependencies';
import { createVerbs } from '../../routing/object-routes';
import { patchResource } from '../../routing/patch-resource';
import { acceptVersion } from '../../routing/preconditions';
import type { Change } from '../../routing/resource-routes';
import {
  describeChange,
  describeOperation,
  type ResourceNames,
} from '../../routing/resource-texts';
import { resourceResponse } from '../../routing/response';
import { PATCH_BODY, type Route, route } from '../../routing/route';

/** A plan for thousands of resources may take this long on a busy machine. */
export const CHANGE_DEADLINE_MS = 120_000;

export const dryRunQuery = z.strictObject({
  dryRun: z.enum(['true', 'false']).optional().meta({
    description:
      'true: returns the plan for all monitors and scenarios that would change, and changes nothing. Default: false',
  }),
});

/** The stored object, and the plan of its change. */
interface PlannedChange<Plan = RolloutPlanResponse> {
  readonly stored: Versioned;
  readonly plan: Plan;
}

type Shown<Schema extends z.ZodType> = z.output<Schema> | ResponseOf<Schema>;
type Versioned = { readonly version: number };

interface Planned<Body, Schema extends z.ZodType> {
  /** The schema of the response: the object, or the plan of a dry run. */
  readonly schema: Schema;
  readonly codes: readonly ErrorCode[];
  /** Plans the change, and stores nothing. */
  readonly preview: (
    needs: Dependencies,
    change: BodyChange<Body>,
  ) => Promise<PlannedChange<Shown<Schema>>>;
  /** The effect of a change on other objects. */
  readonly effect: string;
  readonly put: { readonly example: unknown };
  /** The documentation of the PATCH route. `shape` is the schema of the patch. */
  readonly patch: {
    readonly shape: z.ZodType;
    readonly example: unknown;
  };
}

/** Responds to a dry run with the plan and the version of the stored object. */
export function planResponse<Plan>({ stored, plan }: PlannedChange<Plan>) {
  return { ...resourceResponse(stored), body: plan, changes: [] };
}

/** Creates the PUT and PATCH routes of one kind of object. */
export function plannedRoutes<Entity extends AccountObject, Body, Schema extends z.ZodType>(
  thing: ObjectType<Entity, Body, Shown<Schema> & Versioned>,
  names: ResourceNames,
  { schema, codes, preview, effect, put, patch: patching }: Planned<Body, Schema>,
): readonly Route[] {
  const { path, param, operand, audit, the } = names;
  const { body: shape, read, replace } = createVerbs(thing);
  const shared = {
    scope: 'write',
    query: dryRunQuery,
    deadlineMs: CHANGE_DEADLINE_MS,
    responses: { 200: { description: `${the}; for a dry run, the plan`, schema } },
    codes: [...codes, 'version_mismatch'],
  } as const;
  const change = async (isDry: boolean, target: Change, body: Body) => {
    if (!isDry) return resourceResponse(await replace(target, body));
    const { services, principal, id, accept } = target;
    const { accountId } = principal;
    return planResponse(await preview(services, { accountId, id, accept, body }));
  };
  return [
    route({
      ...shared,
      endpoint: `PUT ${path}/:${param}`,
      operationId: `replace${operand}`,
      ...describeOperation(names, 'Replace', describeChange('PUT', effect)),
      audit: `${audit}.put`,
      body: shape,
      example: put.example,
      readStored: (principal, { services, param: paramOf }) =>
        read({ services, principal, id: paramOf(param) }),
      handler: (principal, { services, param: paramOf, query, body, headers }) => {
        const accept = acceptVersion(headers['if-match']);
        const target = { services, principal, id: paramOf(param), accept };
        return change(query.dryRun === 'true', target, body);
      },
    }),
    route({
      ...shared,
      endpoint: `PATCH ${path}/:${param}`,
      operationId: `update${operand}`,
      ...describeOperation(names, 'Update', describeChange('PATCH', effect)),
      audit: `${audit}.update`,
      body: PATCH_BODY,
      documentedBody: patching.shape,
      example: patching.example,
      handler: (principal, { services, param: paramOf, query, body: patch, headers }) => {
        const target = { services, principal, id: paramOf(param) };
        return patchResource(services, {
          patch,
          shape,
          accept: acceptVersion(headers['if-match']),
          read: () => read(target),
          replace: ({ body, accept }) =>
            change(query.dryRun === 'true', { ...target, accept }, body),
        });
      },
    }),
  ];
}
