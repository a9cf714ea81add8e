/** The body of a scenario (docs/api.md): ordered steps that hand extracted values on. */
import { z } from 'zod';
import { COOKIE_MODES, type Extraction, STEPS_MAX } from '../contracts/definition';
import { isNetworkKind } from '../contracts/kinds';
import { alertsField } from './alerts';
import { assertionsField, jsonPathShape, patternShape } from './assertion';
import { authField } from './auth/auth-field';
import { findScenarioAuthProblems, sharesAuth } from './auth/auth-problems';
import {
  anyJson,
  degradedAboveMsField,
  dependsOnField,
  enabledField,
  groupField,
  headersField,
  intervalSecondsField,
  keyField,
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
import { findReferenceProblems, namesOfVariables } from './references';
import {
  findBodyProblems,
  requestBodyFields,
  requestMethodField,
  withMethod,
} from './request-body';
import { stepOptionFields } from './request-options';

export const DEFAULT_INTERVAL_SECONDS = 300;
const DEFAULT_TIMEOUT_SECONDS = 300;
const EXTRACTIONS_MAX = 20;
const WEEK_SECONDS = 604_800;
/** Over all steps that are repeated; each try adds to the history of the run. */
const REPETITIONS_MAX = 1_000;

const withDefault = {
  default: anyJson
    .meta({ description: 'Taken where nothing is found; without it, the step fails' })
    .optional(),
  secret: z
    .boolean()
    .meta({ description: 'Masks the value in everything that is kept' })
    .optional(),
};
const withResolve = {
  ...withDefault,
  resolve: z
    .boolean()
    .meta({
      description:
        'What is found is a URL, perhaps a relative one: made whole by the URL of the response',
    })
    .optional(),
};
const fromField = <From extends Extraction['from']>(from: From) =>
  z.literal(from).meta({ description: 'Part of the response that holds the value' });
const nameOfSource = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'Name of the header or cookie' });
const sourcePattern = patternShape.meta({
  description: 'Regular expression (RE2); its first group, else the whole match, is the value',
});

export const extractionShape = z.union([
  jsonPathShape,
  z.discriminatedUnion('from', [
    z.strictObject({
      from: fromField('jsonPath'),
      path: jsonPathShape.meta({ description: 'JSON path whose first match is the value' }),
      ...withResolve,
    }),
    z.strictObject({
      from: fromField('header'),
      name: nameOfSource,
      pattern: sourcePattern.optional(),
      ...withResolve,
    }),
    z.strictObject({ from: fromField('cookie'), name: nameOfSource, ...withDefault }),
    z.strictObject({
      from: fromField('finalUrl'),
      pattern: sourcePattern.optional(),
      ...withDefault,
    }),
    z.strictObject({ from: fromField('status'), ...withDefault }),
    z.strictObject({ from: fromField('body'), pattern: sourcePattern, ...withResolve }),
  ]),
]);

const extractField = z
  .record(z.string(), extractionShape)
  .meta({
    maxProperties: EXTRACTIONS_MAX,
    description: 'Variable name → JSON path or source: what later steps use as `{{name}}`',
  })
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
  always: z
    .boolean()
    .meta({ description: 'Runs also after a failure or a cancellation, to clean up' })
    .default(false),
  waitSeconds: z
    .int()
    .min(0)
    .max(WEEK_SECONDS)
    .meta({ description: 'Pause before the step; it survives restarts' })
    .default(0),
};

/** One request of a scenario. */
export const stepShape = z.strictObject({
  name: nameField,
  method: requestMethodField,
  url: urlField,
  headers: headersField,
  auth: authField,
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
      everySeconds: z
        .int()
        .min(1)
        .max(86_400)
        .meta({ description: 'Seconds from one try to the next' }),
      forSeconds: z
        .int()
        .min(1)
        .max(WEEK_SECONDS)
        .meta({ description: 'Seconds after which it is given up' }),
    })
    .nullable()
    .meta({ description: 'Repeats the step until its assertions pass' })
    .default(null),
});

/** One number or switch each, as forms list them. */
export const scenarioOptionFields = {
  timeoutSeconds: z
    .int()
    .min(1)
    .max(WEEK_SECONDS)
    .meta({ description: 'Seconds that the requests of a run may take; waits do not count' })
    .default(DEFAULT_TIMEOUT_SECONDS),
  cookies: z.boolean().default(true).meta({ description: 'Keeps cookies from step to step' }),
};

const scenarioFields = z.strictObject({
  name: nameField,
  steps: z
    .array(stepShape.transform(withMethod))
    .min(1)
    .max(STEPS_MAX)
    .meta({ description: 'Requests that run one after the other' }),
  interval: intervalSecondsField.default(DEFAULT_INTERVAL_SECONDS),
  regions: regionsField,
  alerts: alertsField,
  dependsOn: dependsOnField,
  group: groupField,
  tags: tagsField,
  key: keyField,
  variables: variablesField,
  auth: authField,
  ...scenarioOptionFields,
  onFailure: z
    .enum(['stop', 'continue'])
    .meta({ description: 'After a failed step: skip the rest but `always` steps, or go on' })
    .default('stop'),
  enabled: enabledField,
});

function findProblems(body: unknown): readonly ShapeProblem[] {
  const scenario = recordOf(body);
  const steps = listOf(scenario['steps']).map(recordOf);
  return [
    ...findNameProblems(steps),
    ...findOtherTypes(steps),
    ...findRepetitionProblems(steps),
    ...steps.flatMap((step, index) => findBodyProblems(step, ['steps', index])),
    ...findScenarioAuthProblems(scenario),
    ...findStepReferenceProblems(scenario, steps),
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

/** Kinds of checks are types of monitors only, so far. */
function findOtherTypes(steps: readonly LooseStep[]): ShapeProblem[] {
  return steps.flatMap(({ type }, index) => {
    if (!isNetworkKind(type)) return [];
    const message = `is ${type}, which is a type of monitors only; steps are HTTP requests`;
    return [{ path: formatPath(['steps', index, 'type']), code: 'invalid_value', message }];
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

/** Each step sees the scenario's variables and what steps before it extract; so does what it shares. */
function findStepReferenceProblems(
  { variables, auth }: LooseStep,
  steps: readonly LooseStep[],
): ShapeProblem[] {
  const known = namesOfVariables(variables);
  const ofShared = new Map<string, ShapeProblem>();
  const ofSteps = steps.flatMap((step, index) => {
    const problems = findReferenceProblems(step, known, ['steps', index]);
    const shared = sharesAuth(step) ? findReferenceProblems({ auth }, known, []) : [];
    for (const problem of shared) ofShared.set(`${problem.path} ${problem.message}`, problem);
    for (const [name, source] of Object.entries(recordOf(step['extract']))) {
      const { secret, from } = recordOf(source);
      const isMarked = secret === true || from === 'cookie';
      const isSecret = isMarked || known.get(name)?.isSecret === true;
      known.set(name, { isSecret });
    }
    return problems;
  });
  return [...ofShared.values(), ...ofSteps];
}
