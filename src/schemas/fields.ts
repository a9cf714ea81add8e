/** Fields of monitors and scenarios. Services check rules that need the database. */
import { z } from 'zod';
import { DEFAULT_WARN_DAYS } from '../contracts/certificates';
import { HTTP_METHODS, type JsonValue, type NamedValue } from '../contracts/definition';
import { normalizeGroup } from '../domain/definitions/grouping';
import { isFramingHeader, isHeaderName, isHeaderValue } from '../domain/definitions/header-rules';
import { isMaskable, SECRET_LENGTH_MIN } from '../domain/secrets/redact';
import { HEADER_MASK, isSensitiveHeaderName } from '../domain/secrets/sensitive-headers';
import { VARIABLE_NAME } from '../domain/templates/template';
import { report, type ShapeProblem } from './issues';

const REGIONS_MAX = 20;
const DEPENDENCIES_MAX = 20;
const HEADERS_MAX = 50;
const HEADER_VALUE_MAX = 8192;
const VARIABLES_MAX = 50;
const VARIABLE_VALUE_MAX = 8192;

export function hasForbiddenCharacters(text: string): boolean {
  return /[\r\n\0]/.test(text);
}

/**
 * Matches control characters, separators, and invisible characters that reverse text or make names look alike. Joiners
 * and the tag characters of flags are allowed, because words and emoji need them.
 */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}]|(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])\p{Cf}/u;

/** A trimmed text of one line. */
export const lineField = z
  .string()
  .trim()
  .refine(
    (text) => !CONTROL_CHARACTERS.test(text),
    'must not contain line breaks, control characters or invisible ones',
  );

export const nameField = lineField
  .min(1)
  .max(200)
  .meta({ description: 'Shown in lists and messages' });

/** A pattern that matches each method in upper and lower case. JSON Schema has no flag for that. */
const METHOD_PATTERN = HTTP_METHODS.map((method) =>
  method.replaceAll(/[A-Z]/g, (letter) => `[${letter}${letter.toLowerCase()}]`),
).join('|');

export const METHOD_TEXT_PATTERN = `^(?:${METHOD_PATTERN})$`;

export const methodField = z
  .string()
  .meta({
    pattern: METHOD_TEXT_PATTERN,
    description: `${HTTP_METHODS.join(', ')}, in upper or lower case`,
  })
  .transform((text) => text.toUpperCase())
  .pipe(z.enum(HTTP_METHODS));

export const INTERVAL_SECONDS_MIN = 10;
export const intervalSecondsField = z
  .int()
  .min(INTERVAL_SECONDS_MIN)
  .max(604_800)
  .meta({ description: 'Seconds between two checks' });

/** The limit of the response time. A check that passes but is slower counts as degraded. */
export const degradedAboveMsField = z
  .int()
  .min(1)
  .max(60_000)
  .nullable()
  .meta({ description: 'Milliseconds. A passing check that is slower is degraded' })
  .default(null);

const WARN_DAYS_MAX = 10;

/** Numbers of days before an expiry, stored largest first. */
export const warnDaysShape = z
  .array(z.int().min(1).max(365))
  .max(WARN_DAYS_MAX)
  .meta({ uniqueItems: true })
  .refine((days) => new Set(days).size === days.length, 'must not contain a number twice')
  .transform((days) => days.toSorted((a, b) => b - a));

/** How many days before the expiry of a certificate people are warned. */
export const tlsField = z
  .strictObject({
    warnDays: warnDaysShape
      .meta({
        uniqueItems: true,
        description: 'Days before the end of the certificate; empty: no warnings',
      })
      .default([...DEFAULT_WARN_DAYS]),
  })
  .meta({ description: 'When people are warned that the certificate of the target expires' })
  .prefault({});

/**
 * The regions that send the checks. null means every region that runs at the time of saving. Unknown names are refused.
 */
export const regionsField = z
  .array(z.string().min(1).max(32))
  .min(1)
  .meta({ description: `Regions to check from, at most ${REGIONS_MAX}; default: all that run` })
  .transform((regions) => [...new Set(regions)])
  .refine((regions) => regions.length <= REGIONS_MAX, `must name at most ${REGIONS_MAX} regions`)
  .nullable()
  .default(null);

/** The group. Levels are separated by `/`. An empty string counts as null, which means the default group. */
export const givenGroupField = lineField
  .max(100)
  .refine((group) => group === '' || normalizeGroup(group) !== '', 'must name a level')
  .nullable()
  .meta({ description: 'Group in lists; `/` separates levels. Default: the domain of the URL' })
  .transform((group) => (group === '' ? null : group));

export const groupField = givenGroupField.default(null);

export const tagField = lineField.min(1).max(100);

export const tagsField = z
  .array(tagField)
  .max(20)
  .meta({ description: 'Tags for filters, alert routes and maintenance windows' })
  .default([]);

export const KEY_PATTERN = /^[a-z0-9][a-z0-9._-]{0,99}$/;

export const keyField = z
  .string()
  .regex(KEY_PATTERN, 'must be lower-case letters, digits, dots, _ and -')
  .nullable()
  .meta({ description: 'Identifier in configuration files, unique in the account' })
  .default(null);

export const enabledField = z
  .boolean()
  .meta({ description: 'false: the monitor or scenario is created paused' })
  .default(true);

/** Keys of monitors and scenarios may contain a matrix combination: `home@staging`. */
export const RESOURCE_KEY_PATTERN = /^[a-z0-9][a-z0-9._@-]{0,99}$/;

export const resourceKeyField = z
  .string()
  .regex(RESOURCE_KEY_PATTERN, 'must be lower-case letters, digits, dots, _, - and @')
  .nullable()
  .meta({ description: 'Identifier in configuration files, unique in the account' })
  .default(null);

/** The monitors and scenarios that this check depends on. The service checks that they exist. */
export const dependsOnField = z
  .array(
    z
      .string()
      .regex(
        /^(?:(?:mon|scn)_[0-9a-z]{26}|[a-z0-9][a-z0-9._@-]{0,99})$/,
        'must be the key or id of a monitor or scenario',
      ),
  )
  .max(DEPENDENCIES_MAX)
  .meta({
    description:
      'Keys or ids of monitors and scenarios whose failure explains a failure of this check',
  })
  .transform((references) => [...new Set(references)])
  .default([]);

/** Headers by name. Stored as a list, because stored keys allow fewer characters. */
export const headersField = z
  .record(z.string(), z.string().max(HEADER_VALUE_MAX))
  .meta({
    maxProperties: HEADERS_MAX,
    description: 'Header name → value; a value may contain `{{variables}}` and `{{secret:name}}`',
  })
  .default({})
  .superRefine((headers, context) => {
    const names = Object.keys(headers);
    if (names.length > HEADERS_MAX) {
      report(context, [], {
        code: 'out_of_bounds',
        message: `must have at most ${HEADERS_MAX} headers`,
      });
    }
    const seen = new Set<string>();
    for (const [name, value] of Object.entries(headers)) {
      const problem =
        findHeaderProblem(name, value) ?? (seen.has(name.toLowerCase()) ? 'is given twice' : null);
      if (problem !== null) report(context, [name], { code: 'invalid_value', message: problem });
      seen.add(name.toLowerCase());
    }
  })
  .transform(toNamedValues);

function findHeaderProblem(name: string, value: string): string | null {
  if (!isHeaderName(name)) return 'is not a valid header name';
  if (isFramingHeader(name)) return 'is set by the service itself';
  // A mask is accepted, because it represents a stored value. The service checks that a value is stored.
  if (value === HEADER_MASK && isSensitiveHeaderName(name)) return null;
  if (hasForbiddenCharacters(value)) return 'must not contain line breaks';
  if (!isHeaderValue(value.replaceAll(/\{\{[^{}]*\}\}/g, ''))) {
    return 'must not contain control characters or characters beyond U+00FF, which a header cannot carry';
  }
  return null;
}

/** A variable in a body. A secret variable without a value keeps the value that is stored. */
export type SentVariable =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly value: string | null; readonly secret: true };

export const variableShape = z.union([
  z.string().max(VARIABLE_VALUE_MAX),
  z.strictObject({
    value: z
      .string()
      .max(VARIABLE_VALUE_MAX)
      .meta({ description: 'The text. A secret without it keeps the stored value' })
      .optional(),
    secret: z
      .boolean()
      .meta({ description: 'true: the value is stored encrypted and never returned' })
      .default(false),
  }),
]);
type VariableGiven = z.output<typeof variableShape>;

/** Maps names of variables to texts, or to `{value, secret}`. */
export const variablesField = z
  .record(z.string(), variableShape)
  .meta({
    maxProperties: VARIABLES_MAX,
    description: 'Name → text that replaces `{{name}}` in the URL, headers and body',
  })
  .default({})
  .superRefine((variables, context) => {
    const names = Object.keys(variables);
    if (names.length > VARIABLES_MAX) {
      report(context, [], {
        code: 'out_of_bounds',
        message: `must have at most ${VARIABLES_MAX} variables`,
      });
    }
    for (const name of names.filter((candidate) => !VARIABLE_NAME.test(candidate))) {
      report(context, [name], {
        code: 'invalid_value',
        message: 'is not a variable name: letters, digits and _, at most 64',
      });
    }
    for (const [name, given] of Object.entries(variables)) {
      const problem = findVariableProblem(given);
      if (problem !== null) report(context, [name, 'value'], problem);
    }
  })
  .transform((variables) => Object.entries(variables).map(toSentVariable));

function findVariableProblem(given: VariableGiven): Omit<ShapeProblem, 'path'> | null {
  if (typeof given === 'string') return null;
  const { value, secret } = given;
  if (value === undefined) return secret ? null : { code: 'required', message: 'is required' };
  if (!secret || isMaskable(value)) return null;
  const message = `must have at least ${SECRET_LENGTH_MIN} characters to be kept secret`;
  return { code: 'out_of_bounds', message };
}

function toSentVariable([name, given]: [string, VariableGiven]): SentVariable {
  if (typeof given === 'string') return { name, value: given };
  const { value, secret } = given;
  return secret ? { name, value: value ?? null, secret } : { name, value: value ?? '' };
}

export const variableNameShape = z
  .string()
  .regex(VARIABLE_NAME, 'is not a variable name: letters, digits and _, at most 64');

function toNamedValues(record: Record<string, string>): readonly NamedValue[] {
  return Object.entries(record).map(([name, value]) => ({ name, value }));
}

/** Any JSON. Bodies come from the JSON parser, so nothing needs to be validated. */
const jsonShape = z.custom<JsonValue>();

/** The body, which may be any JSON. null or absent means no body. */
export const bodyField = jsonShape
  .meta({ description: 'An object or list is sent as JSON, a text unchanged' })
  .default(null);

export const anyJson = jsonShape;

/** The profile of a monitor or scenario, by its key. */
export const profileField = z
  .string()
  .regex(KEY_PATTERN, 'must be the key of a profile')
  .nullable()
  .meta({
    description:
      'Key of the profile whose values apply to fields that are not set here; null: no profile. A new definition without this field gets the default profile of the account',
  })
  .optional();
