/**
 * Slack: sends Block Kit messages through an incoming webhook. Names are escaped, so that a mention in a name notifies
 * no one.
 */
import { replaceInstants } from '../../domain/health/instant-words';
import { escapeMarkup, formatCode } from '../../domain/text/markup-escapes';
import type { AlertWords } from '../words';
import {
  buildJsonPost,
  type ChannelMessage,
  defineChannel,
  defineMarkup,
  fitLines,
  listLinks,
} from './channel';
import { createWebhookField, httpAddress } from './fields';

/** Maximum number of fields per section. Block Kit allows at most ten, with at most 2,000 characters each. */
const FIELDS_PER_SECTION = 10;
const FIELDS_MAX = 40;
const FIELD_MAX = 1_500;
const TEXT_MAX = 1_500;
const NAME_MAX = 400;
/** Maximum length of each `lead` line, such as the cause. */
const LEAD_MAX = 900;
const SECTION_MAX = 2_900;
/**
 * A text in which Slack makes no links of URLs. Such a text may contain names and responses, and only our own links may
 * be clickable.
 */
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
  form: { webhookUrl: createWebhookField('https://hooks.slack.com/services/…') },
  markup: defineMarkup('slack', (name, value) => `*${name}:* ${value}`, 'local'),
  requests: ({ webhookUrl }, message) => [buildJsonPost(webhookUrl, slackMessage(message))],
});

function slackMessage(message: ChannelMessage): object {
  const { isCustom, title, words } = message;
  const heading = `${EMOJI[words.tone]} *${fitLines(title, TEXT_MAX)}*`;
  return {
    text: `${EMOJI[words.tone]} ${title}`,
    unfurl_links: false,
    blocks: [textSection(heading), ...(isCustom ? customBlocks(message) : ownBlocks(words))],
    attachments: [linkButtons(message)],
  };
}

function customBlocks({ text }: ChannelMessage): readonly object[] {
  return text === '' ? [] : [textSection(fitLines(text, SECTION_MAX))];
}

/** Builds the blocks: first the cause, then the other facts. */
function ownBlocks({ lead, facts }: AlertWords): readonly object[] {
  const first = lead.map(leadLine).join('\n');
  const fields = facts.slice(0, FIELDS_MAX).map(({ name, value }) => ({
    ...VERBATIM,
    text: `*${escapeMarkup('slack', name, NAME_MAX)}*\n${withLocalTimes(escapeSlack(value))}`,
  }));
  const sections: object[] = [];
  for (let start = 0; start < fields.length; start += FIELDS_PER_SECTION)
    sections.push({ type: 'section', fields: fields.slice(start, start + FIELDS_PER_SECTION) });
  const hidden = facts.length - fields.length;
  return [
    ...(first === '' ? [] : [textSection(first)]),
    ...sections,
    ...(hidden > 0
      ? [{ type: 'context', elements: [{ ...VERBATIM, text: `and ${hidden} more` }] }]
      : []),
  ];
}

/** Replaces instants by dates that Slack shows in the time zone of each reader. Older clients show the UTC text. */
function withLocalTimes(escaped: string): string {
  const local = replaceInstants(escaped, (words, atMs) => {
    return `<!date^${atMs / 1_000}^{date_short_pretty} {time_secs}|${words}>`;
  });
  return local.length > FIELD_MAX ? escaped : local;
}

function leadLine({ name, value, look }: AlertWords['lead'][number]): string {
  if (look === 'code') return formatCode('slack', value, LEAD_MAX);
  const text = escapeMarkup('slack', value, LEAD_MAX);
  return look === 'labelled' ? `*${name}:* ${text}` : text;
}

/**
 * Builds link buttons in an attachment. If a button were in a block, Slack would report each press to the app. Without
 * a URL for these reports, it would show a warning.
 */
function linkButtons(message: ChannelMessage): object {
  const links = listLinks(message);
  return {
    fallback: links.map(({ label, url }) => `${label}: ${url}`).join('\n'),
    actions: links.map(({ label, url }, index) => ({
      type: 'button',
      text: label,
      url,
      ...(index === 0 && links.length > 1 && { style: 'primary' }),
    })),
  };
}

function textSection(text: string): object {
  return { type: 'section', text: { ...VERBATIM, text } };
}

/** Escapes text for Slack. Characters for emphasis become plain text. */
export function escapeSlack(text: string): string {
  return escapeMarkup('slack', text);
}
