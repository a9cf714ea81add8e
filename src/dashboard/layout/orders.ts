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
  /** The part of the check's name that the user typed. Empty means every check to which the verb can apply. */
  readonly name: string;
}

/** The minimum length at which the beginning of a word counts as the word. */
const PREFIX_MIN = 3;
/** The verb that needs no name, because it applies only to open incidents. */
const WITHOUT_NAME: Verb = 'acknowledge';

/**
 * Parses a command. null means that the text does not begin with a verb, or that the verb needs a name and nothing
 * follows it.
 */
export function readOrder(text: string): Order | null {
  const [, word = '', name = ''] = /^(\S+)(?:\s+(\S.*))?$/.exec(text.trim()) ?? [];
  const verbs = VERBS.filter((verb) => isMatch(verb, word.toLowerCase()));
  if (verbs.length === 0) return null;
  return name === '' && verbs.some((verb) => verb !== WITHOUT_NAME) ? null : { verbs, name };
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
