/** Mattermost: sends posts through an incoming webhook. */
import { buildJsonPost, defineChannel, fitLines, listLinks } from './channel';
import { createWebhookField, httpAddress, lineText } from './fields';
import { COLOURS, MARKDOWN } from './markdown';

/** The maximum length of a text. A post may have 16,383 characters. */
const TEXT_MAX = 8_000;
const TITLE_MAX = 500;

export const mattermost = defineChannel({
  type: 'mattermost',
  label: 'Mattermost',
  about: 'Created under Integrations → Incoming webhooks.',
  fields: { webhookUrl: httpAddress, channel: lineText.max(100).nullish() },
  form: {
    webhookUrl: createWebhookField('https://mattermost.example.com/hooks/…'),
    channel: { kind: 'text', label: 'Channel', hint: 'Empty: the channel of the webhook.' },
  },
  markup: MARKDOWN,
  requests: ({ webhookUrl, channel }, message) => {
    const { isCustom, title, text, words } = message;
    const { link, tone } = words;
    const links = listLinks(message).map(({ label, url }) => `[${label}](${url})`);
    const lines = isCustom || text === '' ? [] : [fitLines(text, TEXT_MAX)];
    return [
      buildJsonPost(webhookUrl, {
        username: 'Keepwatch',
        ...(channel == null ? {} : { channel }),
        // Mattermost notifies people of mentions in `text`, but not of mentions in attachments.
        ...(isCustom && text !== '' ? { text: fitLines(text, TEXT_MAX) } : {}),
        attachments: [
          {
            fallback: fitLines(title, TITLE_MAX),
            color: `#${COLOURS[tone].toString(16)}`,
            title: fitLines(title, TITLE_MAX),
            title_link: link.url,
            text: [...lines, links.join(' · ')].join('\n\n'),
          },
        ],
      }),
    ];
  },
});
