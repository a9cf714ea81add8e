/** Colours and marks for people. Texts of the service are made harmless before they come here. */

const CODES = { red: 31, green: 32, yellow: 33, cyan: 36, grey: 90, bold: 1 } as const;

export type Colour = keyof typeof CODES;
export type Paint = (colour: Colour, text: string) => string;

export const plain: Paint = (_colour, text) => text;

export const coloured: Paint = (colour, text) => `\u001b[${CODES[colour]}m${text}\u001b[0m`;

const COLOUR_OF_STATUS: Readonly<Record<string, Colour>> = {
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

/** The word in the colour of what it means. */
export function paintStatus(paint: Paint, status: string): string {
  const colour = COLOUR_OF_STATUS[status];
  return colour === undefined ? status : paint(colour, status);
}

/** Text from elsewhere, without what would steer a terminal. */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');
}

/** How wide the text is on a terminal, colours left out. */
export function widthOf(text: string): number {
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
