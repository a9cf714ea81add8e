/** The body of a scenario (docs/api.md): ordered steps that hand extracted values on. */
import { z } from 'zod';
import { COOKIE_MODES, type Extraction, STEPS_MAX } from '../contracts/definition';
import { alertsField } from './alerts';
import { assertionsField, jsonPathShape, patternShape } from './assertion';
import {
  anyJson,
  degradedAboveMsField,
  dependsOnField,
  groupField,
  headersField,
  intervalSecondsField,
  keyField,
  methodField,
  nameField,
  regionsField,
  tagsField,
  tlsField,
  urlField,
  variableNameShape,
  variablesField,
} from './fields';
import { formatPath, report, type ShapeProblem } from './issues';
import { listOf, numberOf, recordOf, textOf } from './loose';
import { findReferenceProblems, type KnownNames, namesOfVariables } from './references';
import { findBodyProblems, requestBodyFields } from './request-body';
import { stepOptionFields } from './request-options';

export const DEFAULT_INTERVAL_SECONDS = 300;
const DEFAULT_TIMEOUT_SECONDS = 300;
const EXTRACTIONS_MAX = 20;
const WEEK_SECONDS = 604_800;
/** Over all steps that are repeated; each try adds to the history of the run. */
const REPETITIONS_MAX = 1_000;

const withDefault = { default: anyJson.optional(), secret: z.boolean().optional() };

export const extractionShape = z.union([
  jsonPathShape,
  z.discriminatedUnion('from', [
    z.strictObject({ from: z.literal('jsonPath'), path: jsonPathShape, ...withDefault }),
    z.strictObject({
      from: z.literal('header'),
      name: z.string().min(1).max(200),
      pattern: patternShape.optional(),
      ...withDefault,
    }),
    z.strictObject({ from: z.literal('cookie'), name: z.string().min(1).max(200), ...withDefault }),
    z.strictObject({
      from: z.literal('finalUrl'),
      pattern: patternShape.optional(),
      ...withDefault,
    }),
    z.strictObject({ from: z.literal('status'), ...withDefault }),
    z.strictObject({ from: z.literal('body'), pattern: patternShape, ...withDefault }),
  ]),
]);

const extractField = z
  .record(z.string(), extractionShape)
  .meta({ maxProperties: EXTRACTIONS_MAX })
  .default({})
  .superRefine((extract, context) => {
    if (Object.keys(extract).length > EXTRACTIONS_MAX) {
      report(context, [], {
        code: 'out_of_bounds',
        message: `must have at most ${EXTRACTIONS_MAX} variables`,
      });
    }
    for (const name of Object.keys(extract)) {
      const checked = variableNameShape.safeParse(name);
      if (checked.success) continue;
      report(context, [name], {
        code: 'invalid_value',
        message: 'is not a variable name: letters, digits and _, at most 64',
      });
    }
  })
  .transform((extract) => Object.entries(extract).map(toExtraction));

function toExtraction([variable, source]: [string, z.output<typeof extractionShape>]): Extraction {
  if (typeof source === 'string') return { variable, from: 'jsonPath', path: source };
  return { variable, ...source };
}

/** One number or switch each, as forms list them. */
export const stepFields = {
  ...stepOptionFields,
  degradedAboveMs: degradedAboveMsField,
  always: z.boolean().default(false),
  waitSeconds: z.int().min(0).max(WEEK_SECONDS).default(0),
};

/** One request of a scenario. */
export const stepShape = z.strictObject({
  name: nameField,
  method: methodField.default('GET'),
  url: urlField,
  headers: headersField,
  ...requestBodyFields,
  extract: extractField,
  cookies: z.enum(COOKIE_MODES).default('keep').meta({
    description:
      'keep: sends the cookies of the run and adds to them; ignore: leaves them alone; clear: begins without any',
  }),
  assertions: assertionsField,
  ...stepFields,
  tls: tlsField,
  until: z
    .strictObject({
      everySeconds: z.int().min(1).max(86_400),
      forSeconds: z.int().min(1).max(WEEK_SECONDS),
    })
    .nullable()
    .default(null),
});

/** One number or switch each, as forms list them. */
export const scenarioOptionFields = {
  timeoutSeconds: z.int().min(1).max(WEEK_SECONDS).default(DEFAULT_TIMEOUT_SECONDS),
  cookies: z.boolean().default(true).meta({ description: 'Keeps cookies from step to step' }),
};

const scenarioFields = z.strictObject({
  name: nameField,
  steps: z.array(stepShape).min(1).max(STEPS_MAX),
  interval: intervalSecondsField.default(DEFAULT_INTERVAL_SECONDS),
  regions: regionsField,
  alerts: alertsField,
  dependsOn: dependsOnField,
  group: groupField,
  tags: tagsField,
  key: keyField,
  variables: variablesField,
  ...scenarioOptionFields,
  onFailure: z.enum(['stop', 'continue']).default('stop'),
  enabled: z.boolean().default(true),
});

function findProblems(body: unknown): readonly ShapeProblem[] {
  const scenario = recordOf(body);
  const steps = listOf(scenario['steps']).map(recordOf);
  return [
    ...findNameProblems(steps),
    ...findRepetitionProblems(steps),
    ...steps.flatMap((step, index) => findBodyProblems(step, ['steps', index])),
    ...findStepReferenceProblems(steps, namesOfVariables(scenario['variables'])),
  ];
}

/** A whole scenario, as POST and PUT take it. */
export const scenarioBody = { shape: scenarioFields, findProblems };

export type ScenarioBody = z.output<typeof scenarioBody.shape>;

/** A scenario that is not saved, and the region to run it in. */
export const scenarioTestBody = {
  shape: scenarioFields.extend({ region: z.string().min(1).max(32) }),
  findProblems,
};

export type ScenarioTestBody = z.output<typeof scenarioTestBody.shape>;

type LooseStep = Readonly<Record<string, unknown>>;

function findNameProblems(steps: readonly LooseStep[]): ShapeProblem[] {
  const names = steps.map((step) => textOf(step['name']).trim());
  return names.flatMap((name, index) => {
    if (name === '' || names.indexOf(name) === index) return [];
    const path = formatPath(['steps', index, 'name']);
    return [{ path, code: 'duplicate_name', message: 'is the name of an earlier step' }];
  });
}

function findRepetitionProblems(steps: readonly LooseStep[]): ShapeProblem[] {
  let total = 0;
  for (const [index, step] of steps.entries()) {
    const until = recordOf(step['until']);
    const everySeconds = numberOf(until['everySeconds'], 0) ?? 0;
    if (everySeconds < 1) continue;
    total += Math.floor((numberOf(until['forSeconds'], 0) ?? 0) / everySeconds) + 1;
    if (total <= REPETITIONS_MAX) continue;
    const path = formatPath(['steps', index, 'until', 'everySeconds']);
    const message = `makes more than ${REPETITIONS_MAX} tries possible in one run; try less often`;
    return [{ path, code: 'out_of_bounds', message }];
  }
  return [];
}

/** Each step sees the scenario's variables and what steps before it extract. */
function findStepReferenceProblems(
  steps: readonly LooseStep[],
  variables: KnownNames,
): ShapeProblem[] {
  const known = new Map(variables);
  return steps.flatMap((step, index) => {
    const problems = findReferenceProblems(step, known, ['steps', index]);
    for (const [name, source] of Object.entries(recordOf(step['extract']))) {
      const { secret, from } = recordOf(source);
      const isMarked = secret === true || from === 'cookie';
      const isSecret = isMarked || known.get(name)?.isSecret === true;
      known.set(name, { isSecret });
    }
    return problems;
  });
}
