/** Discord: sends an embed through the webhook of a channel. */
import { replaceInstants } from '../../domain/health/instant-words';
import { formatDetail, readJson, readWaitSeconds } from '../post';
import {
  buildJsonPost,
  type ChannelMessage,
  defineChannel,
  defineMarkup,
  fitLines,
  listLinks,
} from './channel';
import { createWebhookField, httpAddress } from './fields';
import { COLOURS } from './markdown';

/** Limits of an embed and of the text above it. */
const TITLE_MAX = 256;
const DESCRIPTION_MAX = 4_096;
const CONTENT_MAX = 2_000;
const BUTTON_URL_MAX = 512;
const ACTION_ROW = 1;
const LINK_BUTTON = { type: 2, style: 5 } as const;

export const discord = defineChannel({
  type: 'discord',
  label: 'Discord',
  about: 'Created under Edit channel → Integrations → Webhooks.',
  fields: { webhookUrl: httpAddress },
  form: { webhookUrl: createWebhookField('https://discord.com/api/webhooks/…') },
  markup: defineMarkup('discord', (name, value) => `**${name}:** ${value}`, 'local'),
  requests: ({ webhookUrl }, message) => {
    const { isCustom, title, text, alert, words } = message;
    const { link, tone } = words;
    const timestamp = new Date(alert.atMs).toISOString();
    const buttons = listLinks(message).filter(({ url }) => url.length <= BUTTON_URL_MAX);
    const url = new URL(webhookUrl);
    // Without this parameter, Discord drops the buttons of webhooks that no application owns.
    url.searchParams.set('with_components', 'true');
    return [
      buildJsonPost(url.href, {
        username: 'Keepwatch',
        // Only a template may mention people. Values that are inserted into it are escaped.
        allowed_mentions: { parse: isCustom ? ['users', 'roles', 'everyone'] : [] },
        // The text above the embed is needed, because phones show only this text.
        content: formatContent(message),
        embeds: [
          {
            ...(isCustom && { title: fitLines(title, TITLE_MAX), url: link.url }),
            ...(!isCustom && { description: withLocalTimes(fitLines(text, DESCRIPTION_MAX)) }),
            color: COLOURS[tone],
            timestamp,
          },
        ],
        components: [
          {
            type: ACTION_ROW,
            components: buttons.map(({ label, url: to }) => ({ ...LINK_BUTTON, label, url: to })),
          },
        ],
      }),
    ];
  },
  read: (response) => {
    if (response.status !== 429) return null;
    const afterMs = readWaitSeconds(readJson(response)['retry_after']);
    return afterMs === null ? null : { kind: 'later', detail: formatDetail(response), afterMs };
  },
});

/** Replaces instants by times that Discord shows in the time zone of each reader. Code stays unchanged. */
function withLocalTimes(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      line.startsWith('`')
        ? line
        : replaceInstants(line, (_words, atMs) => `<t:${atMs / 1_000}:f>`),
    )
    .join('\n');
}

function formatContent({ isCustom, title, text }: ChannelMessage): string {
  return fitLines(isCustom && text !== '' ? text : title, CONTENT_MAX);
}
