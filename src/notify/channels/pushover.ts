/** Pushover: sends messages to phones. An emergency is repeated on the phone until someone acknowledges it there. */
import { z } from 'zod';
import { appendPath, buildFormPost, defineChannel, fitLines, listLinks } from './channel';
import { apiUrl, createApiUrlField, tokenText } from './fields';

/** Limits of a message. */
const TITLE_MAX = 250;
const TEXT_MAX = 1_024;
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
    // A message can have only one link. The most important link that is short enough is used.
    const link = listLinks(message).find(({ url }) => url.length <= URL_MAX);
    const isUrgent = alert.kind === 'failure' || (alert.kind === 'digest' && words.tone === 'bad');
    const { runbook } = words;
    const end = runbook === null || runbook === link ? '' : `\nRunbook: ${runbook.url}`;
    return [
      buildFormPost(appendPath(base ?? API, '/1/messages.json'), {
        token: appToken,
        user: userKey,
        title: fitLines(title, TITLE_MAX),
        message: `${fitLines(text === '' ? title : text, TEXT_MAX - end.length)}${end}`,
        ...(link !== undefined && { url: link.url, url_title: link.label }),
        timestamp: String(Math.floor(alert.atMs / 1_000)),
        ...(emergency === true && isUrgent
          ? EMERGENCY
          : { priority: words.tone === 'bad' ? '1' : '0' }),
      }),
    ];
  },
});
