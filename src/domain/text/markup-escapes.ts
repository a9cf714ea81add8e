/**
 * Escapes texts for each type of markup, so that they cannot format, link or mention anything. Cuts long texts. Each
 * type has a name, which can be sent to worker threads.
 */
import { escapeWithin } from './cut-text';

const LONG_MAX = 1_500;
const SHORT_MAX = 1_000;

function slackEntities(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Escapes the text for Slack. An underscore within a word, as in `pg_dump`, formats nothing and stays as it is. */
function slack(text: string): string {
  return slackEntities(text).replaceAll(
    /[*~`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu,
    (mark) => `\u200b${mark}`,
  );
}

function htmlEntities(text: string): string {
  return slackEntities(text).replaceAll('"', '&quot;');
}

function telegram(text: string): string {
  return htmlEntities(text).replaceAll('@', '@\u200b');
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\*_~`|>#[\]()<]/g, (mark) => `\\${mark}`).replaceAll('@', '@\u200b');
}

/** Escapes the text for the Markdown of Mattermost, in which a slash cannot be escaped. */
function markdown(text: string): string {
  return escapeMarkdown(text).replaceAll('://', ':\u200b//');
}

function discord(text: string): string {
  return escapeMarkdown(text).replaceAll('://', ':\\/\\/');
}

function teams(text: string): string {
  return text.replaceAll(/[\\*_[\]()<>#`~]/g, (mark) => `\\${mark}`).replaceAll('://', ':\u200b//');
}

function googleChat(text: string): string {
  return text
    .replaceAll(/[*_~`<]/g, (mark) => `\u200b${mark}\u200b`)
    .replaceAll('@', '@\u200b')
    .replaceAll('://', ':\u200b//');
}

function googleChatCode(text: string): string {
  return text
    .replaceAll('<', '\u200b<\u200b')
    .replaceAll('@', '@\u200b')
    .replaceAll('://', ':\u200b//');
}

function unchanged(text: string): string {
  return text;
}

interface Escaping {
  readonly max: number;
  readonly escape: (text: string) => string;
  /** Escapes a line within a code span. Absent if the markup has none. */
  readonly code?: (text: string) => string;
}

const ESCAPINGS = {
  plain: { max: Number.POSITIVE_INFINITY, escape: unchanged },
  slack: { max: LONG_MAX, escape: slack, code: slackEntities },
  html: { max: LONG_MAX, escape: htmlEntities },
  telegram: { max: SHORT_MAX, escape: telegram, code: htmlEntities },
  markdown: { max: LONG_MAX, escape: markdown, code: unchanged },
  discord: { max: LONG_MAX, escape: discord, code: unchanged },
  teams: { max: LONG_MAX, escape: teams },
  googleChat: { max: SHORT_MAX, escape: googleChat, code: googleChatCode },
} as const satisfies Readonly<Record<string, Escaping>>;

export type MarkupName = keyof typeof ESCAPINGS;

/** Cuts and escapes the text so that the result fits into `max`. */
export function escapeMarkup(name: MarkupName, text: string, max?: number): string {
  const escaping: Escaping = ESCAPINGS[name];
  return name === 'plain' ? text : escapeWithin(text, max ?? escaping.max, escaping.escape);
}

/**
 * Formats each line of the text as a code span, in which text can be copied unchanged. A line with a backtick, which
 * would end the span, is escaped instead. The result fits into `max`.
 */
export function formatCode(name: MarkupName, text: string, max?: number): string {
  const { max: most, escape: escapeText, code }: Escaping = ESCAPINGS[name];
  if (code === undefined || name === 'plain') return escapeMarkup(name, text, max);
  const [open, close] = name === 'telegram' ? ['<code>', '</code>'] : ['`', '`'];
  const formatLine = (line: string) =>
    line.includes('`') || line.trim() === '' ? escapeText(line) : `${open}${code(line)}${close}`;
  const format = (whole: string) => whole.split('\n').map(formatLine).join('\n');
  return escapeWithin(text, max ?? most, format);
}
