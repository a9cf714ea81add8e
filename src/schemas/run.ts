/** The body of a request for runs (docs/api.md): values, regions and origin. */
import { z } from 'zod';
import type { JsonValue } from '../contracts/definition';
import { isMaskable, SECRET_LENGTH_MIN } from '../domain/secrets/redact';
import { anyJson, lineField, nameField, variableNameShape } from './fields';
import { report } from './issues';

const VARIABLES_MAX = 50;
/**
 * The maximum length of all values together, as JSON. The values are kept in workflow state and passed to each step.
 */
const VARIABLES_LENGTH_MAX = 32 * 1024;
const REGIONS_MAX = 20;

const originField = lineField.min(1).max(500).nullable().default(null);

const sourceShape = z.strictObject({
  provider: originField.describe('CI service or program that requests the run'),
  repository: originField.describe('Repository of the change'),
  branch: originField.describe('Branch of the change'),
  commit: originField.describe('Commit of the change'),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(2048)
    .nullable()
    .default(null)
    .describe('URL of the pipeline or page that requests the run'),
  actor: originField.describe('Person or program that requests the run'),
});

/** The value of a variable. `{value, secret}` means the same as in a definition. Any other JSON is the value itself. */
const markedShape = z.union([
  z.strictObject({
    value: z
      .string()
      .refine(isMaskable, `must have at least ${SECRET_LENGTH_MIN} characters`)
      .describe('The value'),
    secret: z
      .literal(true)
      .describe('true: the value is masked in records; false: `value` may be any JSON'),
  }),
  z.strictObject({
    value: anyJson.describe('The value'),
    secret: z
      .literal(false)
      .describe('true: the value is masked in records; false: `value` may be any JSON'),
  }),
]);

const variableField = z.union([
  markedShape,
  anyJson.refine((value) => !isLikeSecret(value), {
    message: 'looks like a secret, so it must have the form {value: text, secret: true}',
  }),
]);

/** True for an object that has the fields `value` and `secret`, even if their values have the wrong type. */
function isLikeSecret(value: JsonValue): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    'secret' in value &&
    'value' in value
  );
}

const variablesField = z
  .record(variableNameShape, variableField)
  .meta({ maxProperties: VARIABLES_MAX })
  .default({})
  .superRefine((variables, context) => {
    const isTooMany = Object.keys(variables).length > VARIABLES_MAX;
    if (!isTooMany && JSON.stringify(variables).length <= VARIABLES_LENGTH_MAX) return;
    const message = `must have at most ${VARIABLES_MAX} variables and 32 KiB`;
    report(context, [], { code: 'out_of_bounds', message });
  })
  .transform((variables) => Object.entries(variables).map(toGiven));

interface GivenVariable {
  readonly name: string;
  readonly value: JsonValue;
  readonly isSecret: boolean;
}

function toGiven([name, given]: [string, JsonValue]): GivenVariable {
  const marked = markedShape.safeParse(given);
  if (!marked.success) return { name, value: given, isSecret: false };
  return { name, value: marked.data.value, isSecret: marked.data.secret };
}

/** The body of `POST …/run`. Without regions, the scenario's first region is used. */
export const runScenarioBody = z.strictObject({
  variables: variablesField.describe(
    'Name → value that replaces the variable of the scenario in these runs',
  ),
  regions: z
    .array(z.string().min(1).max(32))
    .min(1)
    .transform((regions) => [...new Set(regions)])
    .refine((regions) => regions.length <= REGIONS_MAX, `must name at most ${REGIONS_MAX} regions`)
    .nullable()
    .default(null)
    .describe('Regions, each of which makes one run; null: the first region of the scenario'),
  environment: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .nullable()
    .meta({
      description:
        'Key or id of an environment that these runs use instead of that of the scenario',
    })
    .default(null),
  label: nameField.nullable().default(null).describe('Label that lists show with the runs'),
  source: sourceShape
    .nullable()
    .default(null)
    .describe('Origin of the request, which lists show with the runs'),
  notify: z
    .boolean()
    .default(false)
    .describe(
      'true: a change of the health by these runs sends alerts; works only with `countInUptime`',
    ),
  countInUptime: z
    .boolean()
    .default(false)
    .describe('true: the runs count in health, uptime and incidents'),
});

export type RunScenarioBody = z.output<typeof runScenarioBody>;
