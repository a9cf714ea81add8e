/** The body of a scenario (CONTRACT §5): ordered steps that hand extracted values on. */
import { z } from 'zod';
import type { Extraction } from '../contracts/definition';
import { assertionsField, jsonPathShape, patternShape } from './assertion';
import {
  anyJson,
  bodyField,
  groupField,
  headersField,
  intervalSecondsField,
  keyField,
  methodField,
  nameField,
  regionsField,
  retriesField,
  tagsField,
  timeoutMsField,
  urlField,
  variableNameShape,
  variablesField,
} from './fields';
import { formatPath, report, type ShapeProblem } from './issues';
import { listOf, recordOf, textOf } from './loose';
import { findReferenceProblems } from './references';
import { findBodyProblems } from './request-body';

const DEFAULT_INTERVAL_SECONDS = 300;
const DEFAULT_TIMEOUT_SECONDS = 300;
const DEFAULT_STEP_TIMEOUT_MS = 10_000;
const STEPS_MAX = 50;
const EXTRACTIONS_MAX = 20;

const withDefault = { default: anyJson.optional() };

const extractionShape = z.union([
  jsonPathShape,
  z.discriminatedUnion('from', [
    z.strictObject({ from: z.literal('jsonPath'), path: jsonPathShape, ...withDefault }),
    z.strictObject({ from: z.literal('header'), name: z.string().min(1).max(200), ...withDefault }),
    z.strictObject({ from: z.literal('status'), ...withDefault }),
    z.strictObject({ from: z.literal('body'), pattern: patternShape, ...withDefault }),
  ]),
]);

const extractField = z
  .record(z.string(), extractionShape)
  .default({})
  .superRefine((extract, context) => {
    if (Object.keys(extract).length > EXTRACTIONS_MAX) {
      report(context, [], {
        code: 'out_of_bounds',
        message: `must hold at most ${EXTRACTIONS_MAX} variables`,
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

const stepShape = z.strictObject({
  name: nameField,
  method: methodField.default('GET'),
  url: urlField,
  headers: headersField,
  body: bodyField,
  extract: extractField,
  assertions: assertionsField,
  timeoutMs: timeoutMsField.default(DEFAULT_STEP_TIMEOUT_MS),
  retries: retriesField.default(0),
  followRedirects: z.boolean().default(true),
  always: z.boolean().default(false),
});

const scenarioFields = z.strictObject({
  name: nameField,
  steps: z.array(stepShape).min(1).max(STEPS_MAX),
  interval: intervalSecondsField.default(DEFAULT_INTERVAL_SECONDS),
  regions: regionsField,
  group: groupField,
  tags: tagsField,
  key: keyField,
  variables: variablesField,
  timeoutSeconds: z.int().min(1).max(604_800).default(DEFAULT_TIMEOUT_SECONDS),
  onFailure: z.enum(['stop', 'continue']).default('stop'),
  enabled: z.boolean().default(true),
});

/** A whole scenario, as POST and PUT take it. */
export const scenarioBody = {
  shape: scenarioFields,
  findProblems: (body: unknown): readonly ShapeProblem[] => {
    const scenario = recordOf(body);
    const steps = listOf(scenario['steps']).map(recordOf);
    return [
      ...findNameProblems(steps),
      ...steps.flatMap((step, index) => findBodyProblems(step, ['steps', index])),
      ...findStepReferenceProblems(steps, Object.keys(recordOf(scenario['variables']))),
    ];
  },
};

export type ScenarioBody = z.output<typeof scenarioBody.shape>;

type LooseStep = Readonly<Record<string, unknown>>;

function findNameProblems(steps: readonly LooseStep[]): ShapeProblem[] {
  const names = steps.map((step) => textOf(step['name']).trim());
  return names.flatMap((name, index) => {
    if (name === '' || names.indexOf(name) === index) return [];
    const path = formatPath(['steps', index, 'name']);
    return [{ path, code: 'duplicate_name', message: 'is the name of an earlier step' }];
  });
}

/** Each step sees the scenario's variables and what steps before it extract. */
function findStepReferenceProblems(
  steps: readonly LooseStep[],
  variables: readonly string[],
): ShapeProblem[] {
  const known = new Set(variables);
  return steps.flatMap((step, index) => {
    const problems = findReferenceProblems(step, known, ['steps', index]);
    for (const name of Object.keys(recordOf(step['extract']))) known.add(name);
    return problems;
  });
}

/** What `POST …/run` takes: values for this run, where to run it, and what to call it. */
export const runScenarioBody = z.strictObject({
  variables: z.record(variableNameShape, anyJson).default({}),
  region: z.string().min(1).max(32).optional(),
  label: z.string().trim().min(1).max(200).nullable().default(null),
  countInUptime: z.boolean().default(false),
});

export type RunScenarioBody = z.output<typeof runScenarioBody>;
