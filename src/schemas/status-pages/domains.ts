/** Custom domains of a status page, in request bodies and in files for `keepwatch apply`. */
import { z } from 'zod';

const DOMAINS_MAX = 10;
const NAME =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export const domainsField = z
  .array(
    z
      .string()
      .trim()
      .regex(NAME, 'must be a host name in lower case like status.example.com, without a port'),
  )
  .max(DOMAINS_MAX)
  .default([])
  .superRefine((domains, context) => {
    for (const [at, domain] of domains.entries())
      if (domains.indexOf(domain) < at)
        context.addIssue({ code: 'custom', path: [at], message: 'is already in the list' });
  })
  .meta({
    description: 'Hosts that serve the page at `/` once they are verified',
  });
