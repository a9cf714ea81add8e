/** Pushover: sends messages to phones. An emergency is repeated on the phone until someone acknowledges it there. */
import { z } from 'zod';
import { escapeMarkup } from '../../domain/text/markup-escapes';
import type { AlertLink } from '../alert-links';
import { appendPath, buildFormPost, defineChannel, fitLines, listLinks } from './channel';
import { apiUrl, createApiUrlField, tokenText } from './fields';

/** Limits of a message. */
const TITLE_MAX = 250;
const TEXT_MAX = 1_024;
/** Links after the text leave at least this length for the text. */
const TEXT_MIN = 400;
const URL_MAX = 512;
const API = 'https://api.pushover.net';
const EMERGENCY = { priority: '2', retry: '60', expire: '10800' } as const;

export const pushover = defineChannel({
  type: 'pushover',
  label: 'Pushover',
  about: 'Your user or group key, and the token of an application.',
  fields: {
    userKey: tokenText,
    appToken: tokenText,
    emergency: z.boolean().nullish(),
    apiUrl,
  },
  form: {
    userKey: { kind: 'secret', label: 'User or group key' },
    appToken: { kind: 'secret', label: 'Application token' },
    emergency: {
      kind: 'switch',
      label: 'Emergency',
      hint: 'Failures repeat every minute for three hours, until they are acknowledged there.',
    },
    apiUrl: createApiUrlField(API),
  },
  requests: ({ userKey, appToken, emergency, apiUrl: base }, message) => {
    const { title, text, alert, words } = message;
    // A message can have one link of its own: the most important one that is short enough. The others follow the text.
    const links = listLinks(message);
    const link = links.find(({ url }) => url.length <= URL_MAX);
    const foot = writeLinks(links.filter((each) => each !== link));
    const isUrgent = alert.kind === 'failure' || (alert.kind === 'digest' && words.tone === 'bad');
    return [
      buildFormPost(appendPath(base ?? API, '/1/messages.json'), {
        token: appToken,
        user: userKey,
        title: fitLines(title, TITLE_MAX),
        message: `${fitLines(escapeHtml(text === '' ? title : text), TEXT_MAX - foot.length)}${foot}`,
        html: '1',
        ...(link !== undefined && { url: link.url, url_title: link.label }),
        timestamp: String(Math.floor(alert.atMs / 1_000)),
        ...(emergency === true && isUrgent
          ? EMERGENCY
          : { priority: words.tone === 'bad' ? '1' : '0' }),
      }),
    ];
  },
});

/** Writes the links that fit as a line of HTML. Empty if there is none. */
function writeLinks(links: readonly AlertLink[]): string {
  return links.reduce((foot, { label, url }) => {
    const link = `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`;
    const longer = foot === '' ? `\n${link}` : `${foot} · ${link}`;
    return longer.length > TEXT_MAX - TEXT_MIN ? foot : longer;
  }, '');
}

function escapeHtml(text: string): string {
  return escapeMarkup('html', text);
}
