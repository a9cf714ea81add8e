/** Escapes text for Markdown as Mattermost reads it. */
import { defineMarkup } from './channel';

export const MARKDOWN = defineMarkup('markdown', (name, value) => `**${name}:** ${value}`);

/** Colours of the bar next to a message. */
export const COLOURS = { bad: 0xc92a2a, good: 0x2b8a3e, neutral: 0xe67700 } as const;
