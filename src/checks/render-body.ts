/** Renders the body of a request as bytes and determines its content type. */
import type { MultipartPart, NamedValue, StepDefinition } from '../contracts/definition';
import { formatExactJson, formatJsonText } from '../contracts/json';
import {
  FILLED_IN_MAX,
  renderBody,
  renderText,
  type TemplateValues,
} from '../domain/templates/template';
import { createTemplateFailure, unwrapRendered } from './rendered';

const BODY_BYTES_MAX = FILLED_IN_MAX;

export interface RenderedBody {
  readonly bytes: Buffer | null;
  /** The content type that follows from the body. null if none follows. */
  readonly contentType: string | null;
}

const JSON_TYPE = 'application/json';

/** Renders the body. Throws StepFailure if a reference cannot be filled in, or if the body is larger than 1 MiB. */
export function renderRequestBody(step: StepDefinition, values: TemplateValues): RenderedBody {
  const rendered = renderKind(step, values);
  if ((rendered.bytes?.length ?? 0) > BODY_BYTES_MAX)
    throw createTemplateFailure('The request body is larger than 1 MiB.');
  return rendered;
}

function renderKind(step: StepDefinition, values: TemplateValues): RenderedBody {
  const { form, multipart, graphql } = step;
  if (form !== null && form !== undefined) return renderForm(form, values);
  if (multipart !== null && multipart !== undefined) return renderMultipart(multipart, values);
  if (graphql === null || graphql === undefined) return renderPlain(step, values);
  const { query, variables, operationName } = graphql;
  const filledIn =
    variables === undefined ? undefined : unwrapRendered(renderBody(variables, values));
  const sent = { query: renderTemplateText(query, values), variables: filledIn, operationName };
  return { bytes: Buffer.from(formatExactJson({ ...sent })), contentType: JSON_TYPE };
}

function renderPlain(step: StepDefinition, values: TemplateValues): RenderedBody {
  const body = unwrapRendered(renderBody(step.body, values));
  if (body === null) return { bytes: null, contentType: null };
  if (typeof body === 'string')
    return { bytes: Buffer.from(formatJsonText(body)), contentType: null };
  return { bytes: Buffer.from(formatExactJson(body)), contentType: JSON_TYPE };
}

/** Encodes a form as browsers do (URL Standard, application/x-www-form-urlencoded). */
function renderForm(form: readonly NamedValue[], values: TemplateValues): RenderedBody {
  const pairs = form.map(({ name, value }): [string, string] => [
    name,
    renderTemplateText(value, values),
  ]);
  const text = new URLSearchParams(pairs).toString();
  return { bytes: Buffer.from(text), contentType: 'application/x-www-form-urlencoded' };
}

/** Renders a multipart body (RFC 7578). Names are encoded as in browsers. The same values give the same bytes. */
function renderMultipart(parts: readonly MultipartPart[], values: TemplateValues): RenderedBody {
  const contents = parts.map((part) => renderContent(part, values));
  const boundary = freeBoundary(contents, values.generated.uuid);
  const pieces = parts.flatMap((part, index) => [
    Buffer.from(`--${boundary}\r\n${renderHead(part, values)}\r\n\r\n`),
    contents[index] ?? Buffer.alloc(0),
    Buffer.from('\r\n'),
  ]);
  const bytes = Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
  return { bytes, contentType: `multipart/form-data; boundary=${boundary}` };
}

function renderContent({ value, base64 }: MultipartPart, values: TemplateValues): Buffer {
  return base64 === undefined
    ? Buffer.from(renderTemplateText(value ?? '', values))
    : Buffer.from(base64, 'base64');
}

/**
 * Returns a boundary that occurs in no content. A target may have sent the boundary back in an earlier response, so the
 * boundary is extended until it is unique.
 */
function freeBoundary(contents: readonly Buffer[], uuid: string): string {
  let boundary = `keepwatch-${uuid}`;
  while (contents.some((content) => content.includes(boundary))) boundary += 'x';
  return boundary;
}

function renderHead(
  { name, base64, fileName, contentType }: MultipartPart,
  values: TemplateValues,
): string {
  const file =
    fileName === undefined ? '' : `; filename="${quoted(renderTemplateText(fileName, values))}"`;
  const isFile = fileName !== undefined || base64 !== undefined;
  const type = contentType ?? (isFile ? 'application/octet-stream' : null);
  const disposition = `Content-Disposition: form-data; name="${quoted(name)}"${file}`;
  return type === null ? disposition : `${disposition}\r\nContent-Type: ${type}`;
}

function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function renderTemplateText(text: string, values: TemplateValues): string {
  return unwrapRendered(renderText(text, values));
}
