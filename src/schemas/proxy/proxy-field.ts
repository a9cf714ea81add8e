/** Through which proxy of the operator's list a request goes, as bodies name it. Which there are is found by the service. */
import { z } from 'zod';
import { PROXY_NAME } from '../../contracts/definitions/proxy';

export const proxyField = z
  .string()
  .regex(PROXY_NAME, 'must be a name of KEEPWATCH_PROXIES, like corp, or none')
  .nullable()
  .meta({
    description:
      'Name of a proxy that the operator lists; none: a step does without that of its scenario',
  })
  .default(null);

/** As responses have it. */
export const savedProxy = z.string().nullable();
