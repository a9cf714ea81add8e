/** Converts the `client` settings of a Gatus endpoint. */
import { z } from 'zod';
import { gatusClient } from '../auth';
import type { NoteTaker } from '../imported';
import { gatusTls } from './tls';

const text = z.string().nullish();
const bool = z.boolean().nullish();

export const gatusClientShape = z.looseObject({
  timeout: text,
  insecure: bool,
  'ignore-redirect': bool,
  oauth2: gatusClient,
  tls: gatusTls,
  'proxy-url': text,
});

/** Writes notes about client settings that checks of types other than HTTP do not have. */
export function noteUnusedClient(
  client: z.output<typeof gatusClientShape>,
  { note }: NoteTaker,
): void {
  for (const field of ['oauth2', 'tls', 'proxy-url'] as const)
    if (client[field]) note(`client.${field} has no counterpart and is left out`);
  if (client.insecure === true)
    note('client.insecure ignores certificates; this type always checks them');
}
