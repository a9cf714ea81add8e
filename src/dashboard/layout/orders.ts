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
  /** The part of the check's name that the user typed. */
  readonly name: string;
}

/** Parses a command. null means that the text does not begin with a verb, or that nothing follows the verb. */
export function readOrder(text: string): Order | null {
  const [, word = '', name = ''] = /^(\S+)\s+(\S.*)$/.exec(text.trim()) ?? [];
  const verbs = VERBS.filter((verb) => listWords(verb).includes(word.toLowerCase()));
  return verbs.length === 0 ? null : { verbs, name };
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
