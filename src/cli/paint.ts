/** Colours and symbols for terminals. Callers must pass texts of the service through `replaceControls` first. */

const CODES = { red: 31, green: 32, yellow: 33, cyan: 36, grey: 90, bold: 1 } as const;

export type Colour = keyof typeof CODES;
export type Paint = (colour: Colour, text: string) => string;

export const paintPlain: Paint = (_colour, text) => text;

export const paintColoured: Paint = (colour, text) => `\u001b[${CODES[colour]}m${text}\u001b[0m`;

const STATUS_COLOURS: Readonly<Record<string, Colour>> = {
  up: 'green',
  passed: 'green',
  ok: 'green',
  degraded: 'yellow',
  maintenance: 'cyan',
  paused: 'grey',
  pending: 'grey',
  unknown: 'grey',
  skipped: 'grey',
  down: 'red',
  failed: 'red',
  error: 'red',
  timed_out: 'red',
};

export function paintStatus(paint: Paint, status: string): string {
  const colour = STATUS_COLOURS[status];
  return colour === undefined ? status : paint(colour, status);
}

/** Replaces characters of an untrusted text that could control a terminal by spaces. */
export function replaceControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');
}

/** Returns the width of the text on a terminal, without colour codes. */
export function measureWidth(text: string): number {
  const bare = stripColours(text);
  return Array.from(bare).reduce((sum, character) => sum + (isWide(character) ? 2 : 1), 0);
}

function isWide(character: string): boolean {
  return /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}]/u.test(
    character,
  );
}

function stripColours(text: string): string {
  return text
    .split('\u001b[')
    .map((part, at) => (at === 0 ? part : part.replace(/^\d+m/, '')))
    .join('');
}
