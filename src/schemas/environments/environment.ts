/** Bodies of environments, and of the account's variables. */
import { z } from 'zod';
import { SECRET_NAME, VARIABLE_NAME } from '../../domain/templates/template';
import { KEY_PATTERN, nameField } from '../fields';
import { report } from '../issues';
import { secretNameShape } from '../secret';

const VARIABLES_MAX = 200;
const VALUE_MAX = 8192;
const SECRETS_MAX = 50;

const NOT_A_VARIABLE = 'is not a variable name: letters, digits and _, at most 64';
const NOT_A_TEXT =
  'must be text; store a secret value with PUT /v1/secrets/{name} and use {{secret:name}}';

const valueShape = z.string({ error: NOT_A_TEXT }).max(VALUE_MAX);

/** Maps names of variables to texts. Everyone with read access sees the values. */
const plainVariablesField = z
  .record(z.string(), valueShape)
  .meta({
    maxProperties: VARIABLES_MAX,
    description: 'Name → text that replaces `{{name}}`. The values are not secret',
  })
  .default({})
  .superRefine((variables, context) => {
    refuseMany(context, Object.keys(variables), VARIABLES_MAX);
    for (const name of Object.keys(variables))
      if (!VARIABLE_NAME.test(name))
        report(context, [name], { code: 'invalid_value', message: NOT_A_VARIABLE });
  })
  .transform((variables) =>
    Object.entries(variables)
      .map(([name, value]) => ({ name, value }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  );

function refuseMany(
  context: z.core.$RefinementCtx,
  names: readonly string[],
  namesMax: number,
): void {
  if (names.length <= namesMax) return;
  report(context, [], { code: 'out_of_bounds', message: `must have at most ${namesMax} names` });
}

const secretsField = z
  .record(z.string(), secretNameShape)
  .meta({
    maxProperties: SECRETS_MAX,
    description: 'Name in `{{secret:name}}` → name of a secret of the account',
  })
  .default({})
  .superRefine((secrets, context) => {
    refuseMany(context, Object.keys(secrets), SECRETS_MAX);
    const message = 'is not a name of a secret: letters, digits, _, . and -';
    for (const alias of Object.keys(secrets))
      if (!SECRET_NAME.test(alias)) report(context, [alias], { code: 'invalid_value', message });
  })
  .transform((secrets) =>
    Object.entries(secrets)
      .map(([alias, name]) => ({ alias, name }))
      .toSorted((a, b) => (a.alias < b.alias ? -1 : 1)),
  );

export const environmentBody = z.strictObject({
  key: z.string().regex(KEY_PATTERN, 'must be lower-case letters, digits, dots, _ and -').meta({
    description:
      'Identifier by which monitors, scenarios and runs refer to the environment. It never changes',
  }),
  name: nameField,
  variables: plainVariablesField,
  secrets: secretsField,
});

export type EnvironmentBody = z.output<typeof environmentBody>;

export const accountVariablesBody = z.strictObject({ variables: plainVariablesField });

export type AccountVariablesBody = z.output<typeof accountVariablesBody>;

/** One variable of the account, as files contain it. */
export const accountVariableEntry = z.strictObject({
  name: z.string().regex(VARIABLE_NAME, NOT_A_VARIABLE),
  value: valueShape.meta({ description: 'The text that replaces `{{name}}`' }),
});

/** The key of the environment. An empty string counts as absent, because forms send empty strings. */
export const environmentField = z
  .string()
  .trim()
  .max(100)
  .nullable()
  .meta({
    description: 'Key or id of the environment whose variables complete those of the definition',
  })
  .transform((text) => (text === '' ? null : text))
  .default(null);
