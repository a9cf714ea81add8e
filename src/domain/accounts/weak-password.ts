/**
 * Recognises passwords that attackers try first. Compares normalised forms, so that a short list covers thousands of
 * variants.
 */

/** Common passwords in the form that `plain` returns. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  'password passwort motdepasse contrasena admin administrator root user test guest login welcome willkommen hello letmein changeme default secret iloveyou princess sunshine football baseball monkey dragon master superman batman trustno starwars pokemon qwerty azerty qwertz keepwatch monitor monitoring uptime temporal mongodb company summer winter spring autumn january correcthorsebatterystaple'.split(
    ' ',
  ),
);

const ROWS: readonly string[] = [
  'abcdefghijklmnopqrstuvwxyz',
  '012345678901234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'qazwsxedcrfvtgbyhnujmikolp',
];

const REPLACED: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
const DISTINCT_MIN = 5;
/** A sequence of neighbouring keys with at least this length is easy to guess. */
const WALK_MIN = 6;

/** True for a password that attackers would guess early, even if it is long. */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase();
  if (new Set(lower).size < DISTINCT_MIN) return true;
  const unit = findRepeatedPart(lower);
  if (unit.length < lower.length && unit.length <= lower.length / 2) {
    if (unit.length <= WALK_MIN || isCommonWord(unit) || isWalk(unit)) return true;
  }
  return isCommonWord(lower) || isWalk(withoutEnds(lower)) || isWalk(lower);
}

function isCommonWord(text: string): boolean {
  return [text, withoutEnds(text)].some((form) => {
    const plain = form.replaceAll(/[013457@$!]/g, (sign) => REPLACED[sign] ?? sign);
    const letters = plain.replaceAll(/[^a-z]/g, '');
    return COMMON_WORDS.has(findRepeatedPart(letters)) || COMMON_WORDS.has(findRepeatedPart(form));
  });
}

/** Removes everything that is not a letter from both ends, for example years and symbols. */
function withoutEnds(text: string): string {
  return text.replaceAll(/^[^a-z]+|[^a-z]+$/g, '');
}

/**
 * Returns the shortest part that, repeated, makes up the text: `abc` for `abcabc`. Returns the text itself if nothing
 * is repeated.
 */
function findRepeatedPart(text: string): string {
  const period = text === '' ? 0 : `${text}${text}`.indexOf(text, 1);
  return text.slice(0, period);
}

/** True if the text consists only of long sequences of neighbouring keys, forwards or backwards. */
function isWalk(text: string): boolean {
  let rest = text;
  while (rest !== '') {
    const piece = longestPiece(rest);
    if (piece < Math.min(WALK_MIN, text.length)) return false;
    rest = rest.slice(piece);
  }
  return text.length >= WALK_MIN;
}

function longestPiece(text: string): number {
  const rows = ROWS.flatMap((row) => [row, row.split('').reverse().join('')]);
  let length = 0;
  while (length < text.length && rows.some((row) => row.includes(text.slice(0, length + 1))))
    length += 1;
  return length;
}
