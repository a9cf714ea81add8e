/**
 * The fields that decide how a request reaches its target, in bodies: proxy, IP version and HTTP version. The service
 * checks that the proxy exists.
 */
import { z } from 'zod';
import { HTTP_VERSIONS } from '../../contracts/definitions/http-version';
import { IP_FAMILIES } from '../../contracts/definitions/ip-family';
import { PROXY_NAME } from '../../contracts/definitions/proxy';

export const proxyShape = z
  .string()
  .regex(PROXY_NAME, 'must be the name of a proxy in KEEPWATCH_PROXIES, or none')
  .meta({
    description:
      'Name of a proxy in the list of the operator. none: the step does not use the proxy of its scenario',
  });

export const ipFamilyShape = z
  .enum(IP_FAMILIES)
  .meta({ description: 'IP version for connections to the target' });

export const httpVersionShape = z
  .enum(HTTP_VERSIONS, 'must be "auto", "1.1" or "2", as text')
  .meta({
    description:
      'auto: over TLS, the server chooses between HTTP/2 and HTTP/1.1; without TLS, HTTP/1.1 is used. 2: only HTTP/2; without TLS, with prior knowledge',
  });

/** Allows null, and keeps the description. */
function nullable<Shape extends z.ZodType>(shape: Shape) {
  return shape.nullable().describe(shape.description ?? '');
}

export const routeFields = {
  proxy: nullable(proxyShape).default(null),
  ipFamily: nullable(ipFamilyShape).default(null),
  httpVersion: nullable(httpVersionShape).default(null),
};

/** The fields that decide how a request reaches its target, in responses. */
export const savedRouteFields = {
  proxy: z.string().nullable(),
  ipFamily: ipFamilyShape.nullable(),
  httpVersion: httpVersionShape.nullable(),
};
