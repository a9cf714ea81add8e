/** The body of a request, which has one of four types. GET and HEAD requests have no body. */
import { z } from 'zod';
import { BODY_FIELDS, HTTP_METHODS, type NamedValue } from '../contracts/definition';
import { isHeaderValue } from '../domain/definitions/header-rules';
import { bodyField, METHOD_TEXT_PATTERN, methodField } from './fields';
import { formatPath, report, type ShapeProblem } from './issues';
import { hasInexactInteger, readRecord, readText } from './loose';

const FORM_FIELDS_MAX = 100;
const PARTS_MAX = 20;
const NAME_MAX = 200;
const QUERY_MAX = 65_536;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const formField = z
  .record(z.string(), z.string())
  .meta({ maxProperties: FORM_FIELDS_MAX, description: 'Field name → text, sent as a form' })
  .superRefine((form, context) => {
    const count = Object.keys(form).length;
    if (count <= FORM_FIELDS_MAX) return;
    const message = `must have at most ${FORM_FIELDS_MAX} fields`;
    report(context, [], { code: 'out_of_bounds', message });
  })
  .transform((form): readonly NamedValue[] =>
    Object.entries(form).map(([name, value]) => ({ name, value })),
  )
  .nullable()
  .default(null);

export const partShape = z
  .strictObject({
    name: z.string().min(1).max(NAME_MAX).meta({ description: 'Name of the form field' }),
    value: z.string().meta({ description: 'Text of the part' }).optional(),
    base64: z
      .string()
      .regex(BASE64, 'must be base64')
      .meta({ description: 'Bytes of the part in base64, instead of `value`' })
      .optional(),
    fileName: z
      .string()
      .min(1)
      .max(NAME_MAX)
      .meta({ description: 'Makes the part a file of this name' })
      .optional(),
    contentType: z
      .string()
      .min(1)
      .max(NAME_MAX)
      .refine(isHeaderValue, 'must be a content type')
      .meta({ description: 'Content type of the part' })
      .optional(),
  })
  .superRefine(({ value, base64 }, context) => {
    if (value === undefined && base64 === undefined)
      report(context, ['value'], {
        code: 'required',
        message: 'is required unless base64 is given',
      });
    if (value !== undefined && base64 !== undefined)
      report(context, ['base64'], {
        code: 'invalid_value',
        message: 'cannot be combined with value',
      });
  });

const multipartField = z
  .array(partShape)
  .min(1)
  .max(PARTS_MAX)
  .nullable()
  .meta({ description: 'Parts of a multipart form, including files' })
  .default(null);

const graphqlField = z
  .strictObject({
    query: z.string().min(1).max(QUERY_MAX).meta({ description: 'The GraphQL document' }),
    variables: z
      .record(z.string(), bodyField)
      .meta({ description: 'Variable name → JSON value' })
      .optional(),
    operationName: z
      .string()
      .min(1)
      .max(NAME_MAX)
      .meta({ description: 'Name of the operation to execute' })
      .optional(),
  })
  .nullable()
  .meta({ description: 'A GraphQL request, sent by POST' })
  .default(null);

/** The fields that set the body. At most one of them may be set. */
export const requestBodyFields = {
  body: bodyField,
  form: formField,
  multipart: multipartField,
  graphql: graphqlField,
};

/** The method. A request with a body but without a method is a POST. */
export const requestMethodField = methodField.optional().meta({
  pattern: METHOD_TEXT_PATTERN,
  description: `${HTTP_METHODS.join(', ')}, in upper or lower case. Default: GET, or POST for a request with a body`,
});

type Method = z.output<typeof methodField>;

/** Returns the request with its default method. */
export function withMethod<Sent extends { readonly method?: Method | undefined }>(
  sent: Sent,
): Omit<Sent, 'method'> & { readonly method: Method } {
  return {
    ...sent,
    method: sent.method ?? (bodyFieldsIn(readRecord(sent)).length > 0 ? 'POST' : 'GET'),
  };
}

type Request = Readonly<Record<string, unknown>>;

function bodyFieldsIn(request: Request): readonly string[] {
  return Object.keys(request).filter(
    (name) =>
      BODY_FIELDS.some((known) => known === name) &&
      request[name] !== undefined &&
      request[name] !== null,
  );
}

export function findBodyProblems(
  request: Request,
  path: readonly PropertyKey[],
): readonly ShapeProblem[] {
  const isGiven = (name: string): boolean => request[name] !== undefined && request[name] !== null;
  const given = bodyFieldsIn(request);
  const at = (name: string) => formatPath([...path, name]);
  const [first, ...further] = given;
  if (first === undefined) return [];
  return [
    ...findMethodProblems(request, first, at),
    ...further.map((name) => ({
      path: at(name),
      code: 'invalid_value',
      message: `cannot be combined with ${first}: a request has only one body`,
    })),
    ...(isGiven('multipart') ? findTypeProblems(request, path) : []),
    ...given
      .filter((name) => hasInexactInteger(request[name]))
      .map((name) => ({ path: at(name), code: 'invalid_value', message: INEXACT })),
  ];
}

const INEXACT =
  'contains an integer beyond 2^53, which would lose digits: write the whole body as text and set the header Content-Type';

function findMethodProblems(
  request: Request,
  first: string,
  at: (name: string) => string,
): readonly ShapeProblem[] {
  const method = (readText(request['method']) || 'POST').toUpperCase();
  if (first === 'graphql' && method !== 'POST')
    return [{ path: at('method'), code: 'invalid_value', message: 'must be POST with graphql' }];
  if (method !== 'GET' && method !== 'HEAD') return [];
  return [{ path: at(first), code: 'invalid_value', message: `is not allowed with ${method}` }];
}

/**
 * Reports a Content-Type header together with a multipart body. Only the sender knows the boundary, which must be part
 * of the header.
 */
function findTypeProblems(request: Request, path: readonly PropertyKey[]): readonly ShapeProblem[] {
  return Object.keys(readRecord(request['headers']))
    .filter((name) => name.toLowerCase() === 'content-type')
    .map((name) => ({
      path: formatPath([...path, 'headers', name]),
      code: 'invalid_value',
      message: 'is set by the service itself with multipart',
    }));
}
