/** Parses commands of the palette that name a check, like `pause payment`. Pure. */

/** Each verb with the words that people type for it. */
export const VERB_WORDS = {
  check: ['check', 'run', 'test'],
  pause: ['pause', 'mute', 'silence', 'stop', 'disable'],
  resume: ['resume', 'unpause', 'unmute', 'enable'],
  maintenance: ['maintenance', 'mute', 'silence'],
  acknowledge: ['acknowledge', 'ack'],
  edit: ['edit', 'change', 'configure'],
  duplicate: ['duplicate', 'copy', 'clone'],
  delete: ['delete', 'remove'],
} as const;

type Verb = keyof typeof VERB_WORDS;

interface Order {
  readonly verbs: readonly Verb[];
  /** The part of the check's name that the user typed. Empty if nothing follows the verb. */
  readonly name: string;
}

/** The minimum length at which the beginning of a word counts as the word. */
const PREFIX_MIN = 3;

/** Parses a command. null means that the text does not begin with a verb. */
export function readOrder(text: string): Order | null {
  const [, word = '', name = ''] = /^(\S+)(?:\s+(\S.*))?$/.exec(text.trim()) ?? [];
  const verbs = VERBS.filter((verb) => isMatch(verb, word.toLowerCase()));
  return verbs.length === 0 ? null : { verbs, name };
}

/** What each verb does to a check. `acknowledge` is missing, because it needs no name: it lists the open incidents. */
const VERB_ACTIONS: Readonly<Record<Exclude<Verb, 'acknowledge'>, string>> = {
  check: 'check now',
  pause: 'pause',
  resume: 'resume',
  maintenance: 'start maintenance',
  edit: 'edit',
  duplicate: 'duplicate',
  delete: 'delete',
};

/** Says what the verbs do, like `Pause or start maintenance: type the name of a check`. null if they need no name. */
export function formatHint(verbs: readonly Verb[]): string | null {
  const words = verbs
    .flatMap((verb) => (verb === 'acknowledge' ? [] : [VERB_ACTIONS[verb]]))
    .join(' or ');
  if (words === '') return null;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}: type the name of a check`;
}

function isMatch(verb: Verb, typed: string): boolean {
  return listWords(verb).some(
    (word) => word === typed || (typed.length >= PREFIX_MIN && word.startsWith(typed)),
  );
}

const VERBS: readonly Verb[] = [
  'check',
  'pause',
  'resume',
  'maintenance',
  'acknowledge',
  'edit',
  'duplicate',
  'delete',
];

function listWords(verb: Verb): readonly string[] {
  return VERB_WORDS[verb];
}
