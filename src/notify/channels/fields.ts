/** Fields that several types of channels have. The reference `{{secret:name}}` may be used instead of a secret. */
import { z } from 'zod';
import { hasEmptyLabel } from '../../domain/definitions/host-labels';
import { HEADER_MASK } from '../../domain/secrets/sensitive-headers';

const URL_MAX = 2_048;
const TEXT_MAX = 500;

function isHttpAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  const isPlain = /^https?:$/.test(protocol) && username === '' && password === '';
  return isPlain && !hasEmptyLabel(hostname);
}

export const httpAddress = z
  .string()
  .max(URL_MAX)
  .refine(isHttpAddress, 'must be an http(s) URL without user name and password');

/** A single line of text. */
export const lineText = z
  .string()
  .min(1)
  .max(TEXT_MAX)
  .refine(
    (text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text),
    'must not contain line breaks or control characters',
  );

/** A value for a header or a path. Only visible ASCII characters are allowed, or the mask of a stored value. */
export const tokenText = z
  .string()
  .min(1)
  .max(TEXT_MAX)
  .refine(
    (text) => text === HEADER_MASK || /^[\x21-\x7e]+$/.test(text),
    'must be visible ASCII without spaces',
  );

const WEBHOOK_ADDRESS = { kind: 'secretUrl', label: 'Webhook URL' } as const;

/** Creates the field for a secret URL. */
export function createWebhookField(hint: string) {
  return { ...WEBHOOK_ADDRESS, hint };
}

/** The base URL of the service's API, if it is not the default. */
export const apiUrl = httpAddress.nullish();

export function createApiUrlField(placeholder: string) {
  const hint = 'Another region, a server of your own, or a proxy. Empty: the usual URL.';
  return { kind: 'url', label: 'API URL', placeholder, hint } as const;
}
