/** Slack through an incoming webhook, as Block Kit. Nothing in a name can notify anyone. */
import { escapeMarkup } from '../../domain/text/markup-escapes';
import type { AlertWords } from '../words';
import { type ChannelMessage, defineChannel, defineMarkup, fitLines, jsonPost } from './channel';
import { httpAddress, webhookAddress } from './fields';

/** Block Kit takes at most ten fields per section, each of at most 2,000 characters. */
const FIELDS_PER_SECTION = 10;
const FIELDS_MAX = 40;
const TEXT_MAX = 1_500;
const NAME_MAX = 400;
const SECTION_MAX = 2_900;
/** Addresses in names and in what a target said become no links: only ours is one. */
const VERBATIM = { type: 'mrkdwn', verbatim: true } as const;
const EMOJI: Record<AlertWords['tone'], string> = {
  bad: ':red_circle:',
  good: ':large_green_circle:',
  neutral: ':large_yellow_circle:',
};

export const slack = defineChannel({
  type: 'slack',
  label: 'Slack',
  about: 'Created in Slack under Apps → Incoming Webhooks.',
  fields: { webhookUrl: httpAddress },
  form: { webhookUrl: webhookAddress('https://hooks.slack.com/services/…') },
  markup: defineMarkup('slack', (name, value) => `*${name}:* ${value}`),
  requests: ({ webhookUrl }, message) => [
    jsonPost(webhookUrl, message.isCustom ? customMessage(message) : slackMessage(message.words)),
  ],
});

export function slackMessage({ headline, facts, link, tone }: AlertWords): object {
  const fields = facts.slice(0, FIELDS_MAX).map(({ name, value }) => ({
    ...VERBATIM,
    text: `*${escapeMarkup('slack', name, NAME_MAX)}*\n${escapeSlack(value)}`,
  }));
  const sections: object[] = [];
  for (let start = 0; start < fields.length; start += FIELDS_PER_SECTION)
    sections.push({ type: 'section', fields: fields.slice(start, start + FIELDS_PER_SECTION) });
  const hidden = facts.length - fields.length;
  return {
    text: `${EMOJI[tone]} ${escapeSlack(headline)}`,
    unfurl_links: false,
    blocks: [
      textSection(`${EMOJI[tone]} *${escapeSlack(headline)}*`),
      ...sections,
      linkBlock(link, hidden > 0 ? ` · and ${hidden} more` : ''),
    ],
  };
}

function customMessage({ title, text, words: { link, tone } }: ChannelMessage): object {
  return {
    text: `${EMOJI[tone]} ${title}`,
    unfurl_links: false,
    blocks: [
      textSection(`${EMOJI[tone]} *${fitLines(title, TEXT_MAX)}*`),
      ...(text === '' ? [] : [textSection(fitLines(text, SECTION_MAX))]),
      linkBlock(link, ''),
    ],
  };
}

function textSection(text: string): object {
  return { type: 'section', text: { ...VERBATIM, text } };
}

function linkBlock({ url, label }: AlertWords['link'], more: string): object {
  return {
    type: 'context',
    elements: [{ ...VERBATIM, text: `<${url}|${escapeSlack(label)}>${more}` }],
  };
}

/** Slack's own escapes, and marks of emphasis taken for what they are: text. */
export function escapeSlack(text: string): string {
  return escapeMarkup('slack', text);
}
