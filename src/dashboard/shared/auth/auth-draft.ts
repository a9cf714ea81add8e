/** The authentication of a request, in the form and in the format of the API. Pure. */
import type { Auth } from '../../../contracts/definition';
import { readRecord, readText } from '../../../schemas/loose';
import type { Values } from '../definition/options';

type AuthType = Auth['type'];

export interface AuthInput {
  readonly name: string;
  readonly label: string;
  /** True if the field is for a credential, which should be a reference to a secret. */
  readonly isSecret: boolean;
  /** True if the field may be empty. An empty field is left out of the body. */
  readonly isOptional?: true;
  /** The choices, of which the first is the default. Absent if any text may be typed. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** True means that the field contains several names with values, one `name=value` per line. */
  readonly isList?: true;
  /** The field appears only while the named field has this value. */
  readonly onlyWith?: { readonly name: string; readonly value: string };
}

interface AuthWords {
  readonly label: string;
  readonly inputs: readonly AuthInput[];
}

const USER_AND_PASSWORD: readonly AuthInput[] = [
  { name: 'user', label: 'User', isSecret: false },
  { name: 'password', label: 'Password', isSecret: true },
];

const PASSWORD_GRANT = { name: 'grant', value: 'password' };

/** The types of authentication, in the order in which they are offered. */
export const AUTH_WORDS: Readonly<Record<AuthType, AuthWords>> = {
  basic: { label: 'User and password (basic)', inputs: USER_AND_PASSWORD },
  digest: { label: 'User and password (digest)', inputs: USER_AND_PASSWORD },
  bearer: {
    label: 'Token (bearer)',
    inputs: [{ name: 'token', label: 'Token', isSecret: true }],
  },
  oauth2: {
    label: 'OAuth 2.0',
    inputs: [
      {
        name: 'grant',
        label: 'Grant',
        isSecret: false,
        choices: [
          { value: 'clientCredentials', label: 'Client credentials' },
          { value: 'password', label: 'User and password' },
        ],
      },
      { name: 'tokenUrl', label: 'Token URL', isSecret: false },
      { name: 'clientId', label: 'Client ID', isSecret: false },
      { name: 'clientSecret', label: 'Client secret', isSecret: true },
      { name: 'user', label: 'User', isSecret: false, onlyWith: PASSWORD_GRANT },
      { name: 'password', label: 'Password', isSecret: true, onlyWith: PASSWORD_GRANT },
      { name: 'scope', label: 'Scope', isSecret: false, isOptional: true },
      { name: 'audience', label: 'Audience', isSecret: false, isOptional: true },
      {
        name: 'sendAs',
        label: 'Client is sent',
        isSecret: false,
        choices: [
          { value: 'header', label: 'As a header (basic)' },
          { value: 'body', label: 'In the body' },
        ],
      },
      {
        name: 'extra',
        label: 'Further parameters',
        isSecret: false,
        isOptional: true,
        isList: true,
      },
    ],
  },
  sigv4: {
    label: 'AWS signature (SigV4)',
    inputs: [
      { name: 'accessKeyId', label: 'Access key ID', isSecret: false },
      { name: 'secretAccessKey', label: 'Secret access key', isSecret: true },
      { name: 'sessionToken', label: 'Session token', isSecret: true, isOptional: true },
      { name: 'region', label: 'AWS region', isSecret: false },
      { name: 'service', label: 'AWS service', isSecret: false },
    ],
  },
  none: { label: 'None', inputs: [] },
};

export interface AuthDraft {
  /** null if no authentication is set. */
  readonly type: AuthType | null;
  /** The texts typed for all types, so that switching the type loses nothing. */
  readonly texts: Readonly<Record<string, string>>;
}

const NO_AUTH: AuthDraft = { type: null, texts: {} };

/** Reads the authentication. Values of an unexpected type are treated as absent. */
export function readAuth(given: unknown): AuthDraft {
  const { type, ...fields } = readRecord(given);
  const known = findAuthType(readText(type));
  if (known === null) return NO_AUTH;
  const texts = Object.entries(fields).map(
    ([name, value]) => [name, readText(value) || formatLines(value)] as const,
  );
  return { type: known, texts: Object.fromEntries(texts) };
}

function formatLines(value: unknown): string {
  const pairs = Object.entries(readRecord(value));
  return pairs.map(([name, text]) => `${name}=${readText(text)}`).join('\n');
}

/** Parses names and values, one per line. A line without an equals sign is a name without a value. */
function pairsIn(lines: string): Values {
  const pairs = lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => /^([^=]*)=?(.*)$/.exec(line) ?? [])
    .map(([, name = '', value = '']) => [name.trim(), value.trim()] as const);
  return Object.fromEntries(pairs);
}

export function findAuthType(text: string): AuthType | null {
  return Object.keys(AUTH_WORDS).find((known): known is AuthType => known === text) ?? null;
}

/** Builds the authentication for the body. Empty if none is set. */
export function authBody(draft: AuthDraft): Values {
  const { type } = draft;
  if (type === null) return {};
  const fields = shownInputs(draft)
    .filter((input) => input.isOptional !== true || authText(draft, input) !== '')
    .map((input) => {
      const text = authText(draft, input);
      return [input.name, input.isList === true ? pairsIn(text) : text] as const;
    });
  return { auth: { type, ...Object.fromEntries(fields) } };
}

/** Returns the text of the field, or the first of its choices if the text is empty. */
export function authText(
  { texts }: Pick<AuthDraft, 'texts'>,
  { name, choices = [] }: AuthInput,
): string {
  return texts[name] || (choices[0]?.value ?? '');
}

/** Returns the fields that are shown for the type and the selected choice. */
export function shownInputs(draft: AuthDraft): readonly AuthInput[] {
  const inputs = draft.type === null ? [] : AUTH_WORDS[draft.type].inputs;
  return inputs.filter(({ onlyWith }) => {
    const other = inputs.find(({ name }) => name === onlyWith?.name);
    return other === undefined || authText(draft, other) === onlyWith?.value;
  });
}

/** Lists every text in which references are resolved. */
export function authTexts(draft: AuthDraft): readonly string[] {
  return shownInputs(draft).map((input) => authText(draft, input));
}

export function withAuthTexts(draft: AuthDraft, change: (text: string) => string): AuthDraft {
  const texts = Object.entries(draft.texts).map(([name, text]) => [name, change(text)] as const);
  return { ...draft, texts: Object.fromEntries(texts) };
}
