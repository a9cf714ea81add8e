/** Markdown as Discord and Mattermost read it: what is put in formats, links and notifies nothing. */
import { escapeWithin } from '../../domain/text/cut-text';

const TEXT_MAX = 1_500;

function escapeMarkdown(text: string): string {
  return escapeWithin(text, TEXT_MAX, withoutMarkup);
}

function withoutMarkup(text: string): string {
  return text
    .replaceAll(/[\\*_~`|>#[\]()<]/g, (mark) => `\\${mark}`)
    .replaceAll('@', '@\u200b')
    .replaceAll('://', ':\u200b//');
}

export const MARKDOWN = {
  escape: escapeMarkdown,
  fact: (name: string, value: string): string => `**${name}:** ${value}`,
};

/** Colours of the bar beside a message. */
export const COLOURS = { bad: 0xc92a2a, good: 0x2b8a3e, neutral: 0xe67700 } as const;
