/** The proxy of a request, in bodies. The service checks that the proxy exists. */
import { z } from 'zod';
import { IP_FAMILIES } from '../../contracts/definitions/ip-family';
import { PROXY_NAME } from '../../contracts/definitions/proxy';

export const proxyShape = z
  .string()
  .regex(PROXY_NAME, 'must be the name of a proxy in KEEPWATCH_PROXIES, or none')
  .meta({
    description:
      'Name of a proxy that the operator lists; none: a step does without that of its scenario',
  });

export const proxyField = proxyShape.nullable().default(null);

export const ipFamilyShape = z
  .enum(IP_FAMILIES)
  .meta({ description: 'IP version by which the target is reached' });

export const ipFamilyField = ipFamilyShape.nullable().default(null);

/** The fields in responses. */
export const savedProxy = z.string().nullable();
export const savedIpFamily = ipFamilyShape.nullable();
