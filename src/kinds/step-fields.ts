/** Fields that every step of a scenario has: extracted values, and when the step is sent. */
import { z } from 'zod';
import type { Extraction } from '../contracts/definition';
import { jsonPathShape, patternShape } from '../schemas/assertion';
import { anyJson, variableNameShape } from '../schemas/fields';
import { report } from '../schemas/issues';

export const WEEK_SECONDS = 604_800;
const EXTRACTIONS_MAX = 20;

const withDefault = {
  default: anyJson
    .meta({ description: 'Value to use if nothing is found. Without a default, the step fails' })
    .optional(),
  secret: z
    .boolean()
    .meta({ description: 'true: the value is masked in everything that is stored' })
    .optional(),
};
const withResolve = {
  ...withDefault,
  resolve: z
    .boolean()
    .meta({
      description:
        'true: the value is a URL. A relative URL is resolved against the URL of the response',
    })
    .optional(),
};
const fromField = <From extends Extraction['from']>(from: From) =>
  z.literal(from).meta({ description: 'Part of the response that contains the value' });
const nameOfSource = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'Name of the header or cookie' });
const sourcePattern = patternShape.meta({
  description:
    'Regular expression (RE2). The value is its first group, or the whole match if it has no group',
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

export const extractField = z
  .record(z.string(), extractionShape)
  .meta({
    maxProperties: EXTRACTIONS_MAX,
    description: 'Variable name → JSON path or source. Later steps use the value as `{{name}}`',
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

/** Fields with a single number or switch, in the order in which forms show them. */
export const courseOptionFields = {
  always: z
    .boolean()
    .meta({
      description: 'true: the step also runs after a failure or a cancellation, to clean up',
    })
    .default(false),
  waitSeconds: z
    .int()
    .min(0)
    .max(WEEK_SECONDS)
    .meta({ description: 'Seconds to wait before the step. The wait survives restarts' })
    .default(0),
};

export const untilField = z
  .strictObject({
    everySeconds: z
      .int()
      .min(1)
      .max(86_400)
      .meta({ description: 'Seconds between the starts of two tries' }),
    forSeconds: z
      .int()
      .min(1)
      .max(WEEK_SECONDS)
      .meta({ description: 'Seconds after which no further try starts' }),
  })
  .nullable()
  .meta({ description: 'Repeats the step until it passes' })
  .default(null);
