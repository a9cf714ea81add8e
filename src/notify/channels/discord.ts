/** Discord through the webhook of a channel, as an embed. */
import { detailOf, jsonOf, waitOfSeconds } from '../post';
import { defineChannel, fitLines, jsonPost } from './channel';
import { httpAddress, webhookAddress } from './fields';
import { COLOURS, MARKDOWN } from './markdown';

/** Bounds of an embed and of the text above it. */
const TITLE_MAX = 256;
const DESCRIPTION_MAX = 4_096;
const CONTENT_MAX = 2_000;

export const discord = defineChannel({
  type: 'discord',
  label: 'Discord',
  about: 'Created under Edit channel → Integrations → Webhooks.',
  fields: { webhookUrl: httpAddress },
  form: { webhookUrl: webhookAddress('https://discord.com/api/webhooks/…') },
  markup: MARKDOWN,
  requests: ({ webhookUrl }, { isCustom, title, text, alert, words: { link, tone } }) => {
    const heading = { title: fitLines(title, TITLE_MAX), url: link.url, color: COLOURS[tone] };
    const timestamp = new Date(alert.atMs).toISOString();
    return [
      jsonPost(webhookUrl, {
        username: 'Keepwatch',
        // Only a template notifies people: what is put in is escaped.
        allowed_mentions: { parse: isCustom ? ['users', 'roles', 'everyone'] : [] },
        ...(isCustom && text !== '' ? { content: fitLines(text, CONTENT_MAX) } : {}),
        embeds: [
          isCustom
            ? { ...heading, timestamp }
            : { ...heading, description: fitLines(text, DESCRIPTION_MAX), timestamp },
        ],
      }),
    ];
  },
  read: (response) => {
    if (response.status !== 429) return null;
    const afterMs = waitOfSeconds(jsonOf(response)['retry_after']);
    return afterMs === null ? null : { kind: 'later', detail: detailOf(response), afterMs };
  },
});
