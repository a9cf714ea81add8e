/** How a request proves who sends it, while it is edited, and as the API takes it. Pure. */
import type { Auth } from '../../../contracts/definition';
import { recordOf, textOf } from '../../../schemas/loose';
import type { Values } from '../definition/options';

type AuthType = Auth['type'];

export interface AuthInput {
  readonly name: string;
  readonly label: string;
  /** It holds the name of a secret, and no value. */
  readonly isSecret: boolean;
}

interface AuthWords {
  readonly label: string;
  readonly inputs: readonly AuthInput[];
}

const USER_AND_PASSWORD: readonly AuthInput[] = [
  { name: 'user', label: 'User', isSecret: false },
  { name: 'password', label: 'Password', isSecret: true },
];

/** In the order in which they are offered. */
export const AUTH_WORDS: Readonly<Record<AuthType, AuthWords>> = {
  basic: { label: 'User and password (basic)', inputs: USER_AND_PASSWORD },
  digest: { label: 'User and password (digest)', inputs: USER_AND_PASSWORD },
  bearer: {
    label: 'Token (bearer)',
    inputs: [{ name: 'token', label: 'Token', isSecret: true }],
  },
  none: { label: 'None', inputs: [] },
};

export interface AuthDraft {
  /** null: nothing is said. */
  readonly type: AuthType | null;
  /** What was typed for any type, so that a change of mind loses nothing. */
  readonly texts: Readonly<Record<string, string>>;
}

const NO_AUTH: AuthDraft = { type: null, texts: {} };

/** What is not as expected counts as absent. */
export function readAuth(given: unknown): AuthDraft {
  const { type, ...fields } = recordOf(given);
  const known = authTypeOf(textOf(type));
  if (known === null) return NO_AUTH;
  const texts = Object.entries(fields).map(([name, value]) => [name, textOf(value)] as const);
  return { type: known, texts: Object.fromEntries(texts) };
}

export function authTypeOf(text: string): AuthType | null {
  return Object.keys(AUTH_WORDS).find((known): known is AuthType => known === text) ?? null;
}

/** Nothing where nothing is said. */
export function authBody({ type, texts }: AuthDraft): Values {
  if (type === null) return {};
  const fields = AUTH_WORDS[type].inputs.map(({ name }) => [name, texts[name] ?? ''] as const);
  return { auth: { type, ...Object.fromEntries(fields) } };
}

/** Every text in which references count. */
export function authTexts(draft: AuthDraft): readonly string[] {
  if (draft.type === null) return [];
  return AUTH_WORDS[draft.type].inputs.map(({ name }) => draft.texts[name] ?? '');
}

export function withAuthTexts(draft: AuthDraft, change: (text: string) => string): AuthDraft {
  const texts = Object.entries(draft.texts).map(([name, text]) => [name, change(text)] as const);
  return { ...draft, texts: Object.fromEntries(texts) };
}
