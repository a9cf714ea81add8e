/** Google Chat: sends messages through the webhook of a space. The alerts of one incident form one thread. */
import {
  buildJsonPost,
  type ChannelMessage,
  defineChannel,
  defineMarkup,
  fitLines,
  listLinks,
} from './channel';
import { createWebhookField, httpAddress } from './fields';

/** The maximum length of a message. The service allows 32,000 bytes, but no one reads such a long message. */
const TEXT_MAX = 3_800;
const MARKS = { bad: '🔴', good: '🟢', neutral: '🟡' } as const;

export const googlechat = defineChannel({
  type: 'googlechat',
  label: 'Google Chat',
  about: 'Created in a space under Apps & integrations → Webhooks.',
  fields: { webhookUrl: httpAddress },
  form: { webhookUrl: createWebhookField('https://chat.googleapis.com/v1/spaces/…') },
  markup: defineMarkup('googleChat', (name, value) => `*${name}:* ${value}`),
  requests: ({ webhookUrl }, message) => {
    const { title, text, alert, words } = message;
    const { incidentId } = alert;
    const url = new URL(webhookUrl);
    if (incidentId !== null)
      url.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD');
    const lines = fitLines([`${MARKS[words.tone]} *${title}*`, text].join('\n'), TEXT_MAX);
    return [
      buildJsonPost(url.href, {
        text: lines,
        cardsV2: [{ cardId: 'links', card: { sections: [{ widgets: [buildButtons(message)] }] } }],
        ...(incidentId === null ? {} : { thread: { threadKey: incidentId } }),
      }),
    ];
  },
});

function buildButtons(message: ChannelMessage): object {
  const buttons = listLinks(message).map(({ label, url }) => ({
    text: label,
    onClick: { openLink: { url } },
  }));
  return { buttonList: { buttons } };
}
