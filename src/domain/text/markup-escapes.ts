/**
 * Escapes texts for each type of markup, so that they cannot format, link or mention anything. Cuts long texts. Each
 * type has a name, which can be sent to worker threads.
 */
import { escapeWithin } from './cut-text';

const LONG_MAX = 1_500;
const SHORT_MAX = 1_000;

function slack(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[*_~`]/g, (mark) => `\u200b${mark}`);
}

function telegram(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('@', '@\u200b');
}

/** Escapes the text for the Markdown of Discord and Mattermost. */
function markdown(text: string): string {
  return text
    .replaceAll(/[\\*_~`|>#[\]()<]/g, (mark) => `\\${mark}`)
    .replaceAll('@', '@\u200b')
    .replaceAll('://', ':\u200b//');
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

interface Escaping {
  readonly max: number;
  readonly escape: (text: string) => string;
}

const ESCAPINGS = {
  plain: { max: Number.POSITIVE_INFINITY, escape: (text) => text },
  slack: { max: LONG_MAX, escape: slack },
  telegram: { max: SHORT_MAX, escape: telegram },
  markdown: { max: LONG_MAX, escape: markdown },
  teams: { max: LONG_MAX, escape: teams },
  googleChat: { max: SHORT_MAX, escape: googleChat },
} as const satisfies Readonly<Record<string, Escaping>>;

export type MarkupName = keyof typeof ESCAPINGS;

/** Cuts and escapes the text so that the result fits into `max`. */
export function escapeMarkup(name: MarkupName, text: string, max?: number): string {
  const escaping: Escaping = ESCAPINGS[name];
  return name === 'plain' ? text : escapeWithin(text, max ?? escaping.max, escaping.escape);
}
