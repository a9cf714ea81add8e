/** Microsoft Teams: sends an Adaptive Card through a workflow that posts to a channel. */
import { cutText } from '../../domain/text/cut-text';
import { escapeMarkup } from '../../domain/text/markup-escapes';
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

/** The maximum length of a text. A message may have 28 kB. */
const TEXT_MAX = 8_000;
const TITLE_MAX = 500;
const FACTS_MAX = 40;
/** Limit for all facts together. */
const FACTS_BYTES_MAX = 20_000;
const TITLE = { weight: 'Bolder', size: 'Medium' } as const;
const COLOURS = { bad: 'attention', good: 'good', neutral: 'warning' } as const;

export const teams = defineChannel({
  type: 'teams',
  label: 'Microsoft Teams',
  about: 'URL of the workflow “Send webhook alerts to a channel”.',
  fields: { webhookUrl: httpAddress },
  form: { webhookUrl: createWebhookField('https://….logic.azure.com/workflows/…') },
  markup: defineMarkup('teams', (name, value) => `**${name}:** ${value}`),
  requests: ({ webhookUrl }, message) => [
    buildJsonPost(webhookUrl, {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: buildCard(message),
        },
      ],
    }),
  ],
});

function buildCard(message: ChannelMessage): object {
  const { isCustom, title, text, words } = message;
  const { headline, lead, facts, tone } = words;
  const color = COLOURS[tone];
  const shown = fittingFacts(facts);
  const hidden = facts.length - shown.length;
  const more = hidden > 0 ? [{ title: 'More', value: `${hidden} further ones` }] : [];
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: isCustom
      ? [
          { ...TITLE, type: 'TextBlock', text: fitLines(title, TITLE_MAX), wrap: true, color },
          textBlock(fitLines(text, TEXT_MAX)),
        ]
      : [
          richText({ ...TITLE, text: cutText(headline, TITLE_MAX), color }),
          ...lead.flatMap(leadBlocks),
          { type: 'FactSet', facts: [...shown, ...more] },
        ],
    actions: listLinks(message).map(({ label: name, url }) => ({
      type: 'Action.OpenUrl',
      title: name,
      url,
    })),
  };
}

/** Builds one block per line, because Teams ignores single line breaks. */
function leadBlocks({ name, value, look }: AlertWords['lead'][number]): readonly object[] {
  const label = look === 'labelled' ? [{ text: `${name}: `, weight: 'Bolder' }] : [];
  const font = look === 'code' ? { fontType: 'Monospace' } : {};
  return value.split('\n').map((text, index) => ({
    ...richText(...(index === 0 ? label : []), { text, ...font }),
    ...(index > 0 && { spacing: 'None' }),
  }));
}

/** Builds a block with literal text. Teams neither formats Markdown nor makes links in it. */
function richText(...runs: readonly object[]): object {
  const inlines = runs.map((run) => ({ type: 'TextRun', ...run }));
  return { type: 'RichTextBlock', inlines, spacing: 'Small' };
}

function textBlock(text: string): object {
  return { type: 'TextBlock', text, wrap: true, spacing: 'Small' };
}

/** Returns as many of the first facts as fit into a message. */
function fittingFacts(facts: ChannelMessage['words']['facts']) {
  const shown: { readonly title: string; readonly value: string }[] = [];
  let bytes = 0;
  for (const { name, value } of facts.slice(0, FACTS_MAX)) {
    const fact = { title: escapeTeams(name), value: escapeTeams(value) };
    bytes += Buffer.byteLength(JSON.stringify(fact));
    if (bytes > FACTS_BYTES_MAX && shown.length > 0) break;
    shown.push(fact);
  }
  return shown;
}

/** Escapes text for Teams. Markdown characters become plain text, and URLs do not become links. */
function escapeTeams(text: string): string {
  return escapeMarkup('teams', text);
}
