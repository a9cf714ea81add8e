/** Telegram: sends messages through a bot. */

import { z } from 'zod';
import { cutText } from '../../domain/text/cut-text';
import { escapeMarkup } from '../../domain/text/markup-escapes';
import type { AlertLink } from '../alert-links';
import { formatDetail, readJson, readRecord, readWaitSeconds } from '../post';
import {
  appendPath,
  buildJsonPost,
  defineChannel,
  defineMarkup,
  fitLines,
  listLinks,
} from './channel';
import { apiUrl, createApiUrlField, lineText, tokenText } from './fields';

/** The maximum length of a text. Telegram's limit is 4,096 characters without markup. */
const TEXT_MAX = 4_000;
const TITLE_MAX = 500;
const API = 'https://api.telegram.org';
const MARKS = { bad: '🔴', good: '🟢', neutral: '🟡' } as const;

/**
 * Cuts a title that is too long. If the title may contain HTML tags, replaces it instead, because no tag may be cut.
 */
function cutTitle(title: string): string {
  return title.length > TITLE_MAX && title.includes('<') ? 'Alert' : cutText(title, TITLE_MAX);
}

export const telegram = defineChannel({
  type: 'telegram',
  label: 'Telegram',
  about: 'Create a bot with @BotFather, and add it to the chat.',
  fields: {
    botToken: tokenText,
    chatId: lineText.max(100),
    threadId: z.int().min(1).nullish(),
    apiUrl,
  },
  form: {
    botToken: { kind: 'secret', label: 'Bot token' },
    chatId: { kind: 'text', label: 'Chat', hint: 'Its id, like -1001234567890, or @channel.' },
    threadId: { kind: 'number', label: 'Topic', hint: 'Id of a topic of a group.' },
    apiUrl: createApiUrlField(API),
  },
  markup: defineMarkup('telegram', (name, value) => `<b>${name}:</b> ${value}`),
  requests: (config, message) => {
    const { title, text, publicUrl, words } = message;
    const { tone } = words;
    const { botToken, chatId, threadId, apiUrl: base } = config;
    const heading = `${MARKS[tone]} <b>${cutTitle(title)}</b>`;
    const links = listLinks(message);
    const foot = canHaveButtons(publicUrl) ? '' : links.map(linkText).join(' · ');
    const room = TEXT_MAX - heading.length - foot.length;
    return [
      buildJsonPost(appendPath(base ?? API, `/bot${botToken}/sendMessage`), {
        chat_id: chatId,
        ...(threadId == null ? {} : { message_thread_id: threadId }),
        text: `${heading}\n${fitLines(text, room)}\n${foot}`.trimEnd(),
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
        ...(foot === '' && {
          reply_markup: {
            inline_keyboard: [links.map(({ label, url }) => ({ text: label, url }))],
          },
        }),
      }),
    ];
  },
  // A group gets a new id when it becomes a supergroup.
  readMove: (response) => {
    const { migrate_to_chat_id: id } = readRecord(readJson(response)['parameters']);
    const isId = typeof id === 'number' || (typeof id === 'string' && /^-?\d+$/.test(id));
    return response.status === 400 && isId ? { chatId: String(id) } : null;
  },
  read: (response) => {
    if (response.status !== 429) return null;
    const { retry_after: seconds } = readRecord(readJson(response)['parameters']);
    const afterMs = readWaitSeconds(seconds);
    return afterMs === null ? null : { kind: 'later', detail: formatDetail(response), afterMs };
  },
});

/**
 * True if messages can have buttons. Telegram refuses a button that leads to a host without a dot, such as localhost.
 */
function canHaveButtons(publicUrl: string): boolean {
  return new URL(publicUrl).hostname.includes('.');
}

function linkText({ label, url }: AlertLink): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`;
}

function escapeHtml(text: string): string {
  return escapeMarkup('telegram', text);
}
