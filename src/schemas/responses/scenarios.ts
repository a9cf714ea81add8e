/** Scenarios and their steps of every type as /v1 returns them (docs/api.md). */
import { z } from 'zod';
import { COOKIE_MODES } from '../../contracts/definition';
import { NETWORK_KINDS, type NetworkKind } from '../../contracts/kinds';
import type { TargetShapes } from '../../kinds/fields';
import { toResponseFields } from '../../kinds/response-fields';
import { KIND_SHAPES } from '../../kinds/shapes';
import { savedAuth } from '../auth/auth-field';
import { savedRouteFields } from '../proxy/proxy-field';
import { savedSharedTls } from '../tls/tls-field';
import { idSchema, json, maybeInstant, pageSchema, type ResponseOf } from './parts';
import { recent, requestFields, savedTls, serviceFields, sharedFields } from './resources';

const extraction = z
  .strictObject({
    from: z.enum(['jsonPath', 'header', 'cookie', 'finalUrl', 'status', 'body']),
    path: z.string().optional(),
    name: z.string().optional(),
    pattern: z.string().optional(),
    default: json.optional(),
    secret: z.boolean().optional(),
    resolve: z.boolean().optional(),
  })
  .meta({ id: 'SavedExtraction' });

/** Fields of a step of any type. */
const stepFields = {
  name: z
    .string()
    .meta({ description: 'Name of the step, unique in the scenario', example: 'Sign in' }),
  extract: z.record(z.string(), extraction),
  always: z.boolean(),
  waitSeconds: z.int(),
  until: z.strictObject({ everySeconds: z.int(), forSeconds: z.int() }).nullable(),
};

const httpStep = z
  .strictObject({
    type: z.literal('http').describe('Type of the check that the step makes'),
    ...stepFields,
    ...requestFields,
    cookies: z.enum(COOKIE_MODES),
  })
  .meta({ id: 'SavedHttpStep' });

/** Fields of a step of every type other than HTTP. */
const networkFields = {
  ...stepFields,
  timeoutMs: requestFields.timeoutMs,
  retries: requestFields.retries,
  degradedAboveMs: requestFields.degradedAboveMs,
};

/** Returns all fields of a step of this type. The declared return type omits the fields that only some types have. */
function buildFields(type: NetworkKind): typeof networkFields & TargetShapes;
function buildFields(type: NetworkKind): z.ZodRawShape {
  const { fields, hasCertificate } = KIND_SHAPES[type];
  return {
    ...networkFields,
    ...toResponseFields(fields),
    ...(hasCertificate && { tls: savedTls }),
  };
}

/** Schemas of steps, one for each type other than HTTP. */
const networkSteps = NETWORK_KINDS.map((type) =>
  z
    .strictObject({ type: z.literal(type), ...buildFields(type) })
    .meta({ id: `Saved${KIND_SHAPES[type].schemaName}Step` }),
);

const step = z
  .discriminatedUnion('type', [httpStep, ...networkSteps])
  .meta({ id: 'SavedStep', description: 'The fields depend on the type' });

export const scenario = z
  .strictObject({
    id: idSchema('scenario'),
    ...sharedFields,
    steps: z.array(step).describe('Steps, which are executed in this order'),
    auth: savedAuth,
    tls: savedSharedTls,
    ...savedRouteFields,
    timeoutSeconds: z.int(),
    onFailure: z.enum(['stop', 'continue']),
    cookies: z.boolean(),
    lastRunId: z.string().nullable().meta({
      description: 'Id of the run at `lastCheckedAt`; null: none',
      example: 'run_01arz3ndektsv4rrffq69g5fav',
    }),
    tlsExpiresAt: maybeInstant.meta({
      description: 'The earliest certificate expiry of all steps',
    }),
    tlsWarning: z.int().nullable().meta({
      description:
        "The smallest threshold of the steps' tls.warnDays that is reached, in days; null: none",
    }),
    ...serviceFields,
  })
  .meta({ id: 'Scenario' });

export type ScenarioResponse = ResponseOf<typeof scenario>;
export type StepResponse = ScenarioResponse['steps'][number];
export type HttpStepResponse = Extract<StepResponse, { readonly type: 'http' }>;

export const scenarioPage = pageSchema(scenario.extend({ recent }).meta({ id: 'ListedScenario' }));
