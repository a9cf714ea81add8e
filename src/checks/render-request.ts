/** Fills in a step's templates and builds its request. Sends nothing itself. */
import type { NamedValue, StepDefinition } from '../contracts/definition';
import { TRACEPARENT } from '../contracts/trace';
import { isFramingHeader, isHeaderName, isHeaderValue } from '../domain/definitions/header-rules';
import {
  createTemplateBudget,
  explainRelativeUrl,
  renderText,
  renderUrl,
  type TemplateValues,
} from '../domain/templates/template';
import type { WireRequest } from './http/write-request';
import { renderRequestBody } from './render-body';
import { createTemplateFailure, unwrapRendered } from './rendered';

/** Matches a URL without a host. A URL parser would take the start of its path as the host. */
const WITHOUT_HOST = /^https?:\/\/[/\\?#]/i;

/** Fills in the URL. Throws StepFailure if the result is not a valid URL, or if it contains a secret or credentials. */
export function renderAddress(text: string, values: TemplateValues): URL {
  const rendered = unwrapRendered(renderUrl(text, values)).trim();
  if (!URL.canParse(rendered) || WITHOUT_HOST.test(rendered)) {
    throw createTemplateFailure(
      explainRelativeUrl(text, rendered) ?? 'The URL is not valid with its variables filled in.',
    );
  }
  const url = new URL(rendered);
  if (url.username !== '' || url.password !== '') {
    throw createTemplateFailure(
      'The URL contains a user name or password; use an Authorization header.',
    );
  }
  return url;
}

/** Fills in the header. Throws StepFailure if the name or value is not allowed in a header. */
export function renderHeader({ name, value }: NamedValue, values: TemplateValues): NamedValue {
  const rendered = unwrapRendered(renderText(value, values));
  if (!isHeaderName(name) || isFramingHeader(name)) {
    throw createTemplateFailure(`The header ${JSON.stringify(name)} cannot be set.`);
  }
  if (!isHeaderValue(rendered)) {
    throw createTemplateFailure(
      `The value of the header ${name} contains characters that are not allowed in headers.`,
    );
  }
  return { name, value: rendered };
}

/** Headers that Keepwatch adds to a request. A step may override each of them. */
interface OwnHeaders {
  readonly userAgent: string;
  /** undefined means that no trace is sent to the target. */
  readonly traceparent?: string | undefined;
}

/** Builds the request of a step. Throws StepFailure if its templates make it invalid. */
export function renderRequest(
  step: StepDefinition,
  given: TemplateValues,
  { userAgent, traceparent }: OwnHeaders,
): WireRequest {
  const values = { ...given, budget: createTemplateBudget() };
  const url = renderAddress(step.url, values);
  const headers = step.headers.map((header) => renderHeader(header, values));
  const { bytes, contentType } = renderRequestBody(step, values);
  const defaults: NamedValue[] = [
    { name: 'user-agent', value: userAgent },
    ...(traceparent === undefined ? [] : [{ name: TRACEPARENT, value: traceparent }]),
    { name: 'accept', value: '*/*' },
    { name: 'accept-encoding', value: 'gzip, deflate, br' },
    ...(contentType === null ? [] : [{ name: 'content-type', value: contentType }]),
  ];
  const names = new Set(headers.map(({ name }) => name.toLowerCase()));
  const added = defaults.filter(({ name }) => !names.has(name));
  return { method: step.method, url, headers: [...headers, ...added], body: bytes };
}
