/** Sends text messages through Twilio, one per phone number. */
import { z } from 'zod';
import { defineChannel, fitLines, formPost, under } from './channel';
import { apiUrl, apiUrlField, tokenText } from './fields';

const NUMBERS_MAX = 20;
/** Maximum length of a message. It has at most two or three segments, because each segment costs money. */
const TEXT_MAX = 400;
const API = 'https://api.twilio.com';

const phoneNumber = z
  .string()
  .regex(/^\+[1-9]\d{4,14}$/, 'must be a phone number such as +4915112345678');

export const twilio = defineChannel({
  type: 'twilio',
  label: 'SMS (Twilio)',
  about: 'Account SID and auth token of the Twilio console.',
  fields: {
    accountSid: z
      .string()
      .regex(/^AC[0-9a-fA-F]{32}$/, 'must begin with AC and have 34 characters'),
    authToken: tokenText,
    from: z
      .string()
      .max(50)
      .regex(
        /^(?:\+[1-9]\d{4,14}|MG[0-9a-fA-F]{32}|[A-Za-z0-9 ]{1,11})$/,
        'must be a phone number, a messaging service (MG…) or a name of up to 11 letters and digits',
      ),
    to: z.array(phoneNumber).min(1).max(NUMBERS_MAX),
    apiUrl,
  },
  form: {
    accountSid: { kind: 'text', label: 'Account SID' },
    authToken: { kind: 'secret', label: 'Auth token' },
    from: { kind: 'text', label: 'From', hint: 'A number, a messaging service or a name.' },
    to: { kind: 'list', label: 'Phone numbers', hint: 'Like +4915112345678. Each gets a message.' },
    apiUrl: apiUrlField(API),
  },
  splitBy: 'to',
  requests: ({ accountSid, authToken, from, to, apiUrl: base }, { title, text, words }) => {
    const account = `/2010-04-01/Accounts/${accountSid}/Messages.json`;
    const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
    const room = TEXT_MAX - words.link.url.length;
    return to.map((number) =>
      formPost(
        under(base ?? API, account),
        {
          To: number,
          ...(from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from }),
          Body: `${fitLines([title, text].join('\n'), Math.max(160, room))}\n${words.link.url}`,
        },
        { Authorization: `Basic ${credentials}` },
      ),
    );
  },
});
