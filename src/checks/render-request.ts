/** Fills in a step's templates and makes the request of it. Nothing is sent from here. */
import type { NamedValue, StepDefinition } from '../contracts/definition';
import { isFramingHeader, isHeaderName, isHeaderValue } from '../domain/definitions/header-rules';
import {
  createTemplateBudget,
  FILLED_IN_MAX,
  type Rendered,
  renderBody,
  renderText,
  renderUrl,
  type TemplateValues,
} from '../domain/templates/template';
import type { WireRequest } from './exchange';
import { MissingVariableFailure, StepFailure } from './step-failure';

const BODY_BYTES_MAX = FILLED_IN_MAX;
/** A URL parser would take the path for the host. */
const WITHOUT_HOST = /^https?:\/\/[/\\?#]/i;

function failure(message: string): StepFailure {
  return new StepFailure('template_error', message, 'prepare');
}

function unwrap<Value>(rendered: Rendered<Value>): Value {
  if (rendered.ok) return rendered.value;
  const { code, message, missingVariable } = rendered.fault;
  if (missingVariable !== undefined) throw new MissingVariableFailure(missingVariable, message);
  throw new StepFailure(code, message, 'prepare');
}

function renderAddress(text: string, values: TemplateValues): URL {
  const rendered = unwrap(renderUrl(text, values)).trim();
  if (!URL.canParse(rendered) || WITHOUT_HOST.test(rendered)) {
    throw failure('The URL is not valid with its variables filled in.');
  }
  const url = new URL(rendered);
  if (url.username !== '' || url.password !== '') {
    throw failure('The URL contains a user name or password; use an Authorization header.');
  }
  return url;
}

function renderHeader({ name, value }: NamedValue, values: TemplateValues): NamedValue {
  const rendered = unwrap(renderText(value, values));
  if (!isHeaderName(name) || isFramingHeader(name)) {
    throw failure(`The header ${JSON.stringify(name)} can not be set.`);
  }
  if (!isHeaderValue(rendered)) {
    throw failure(
      `The value of the header ${name} contains characters that are not allowed in headers.`,
    );
  }
  return { name, value: rendered };
}

interface RenderedBody {
  readonly bytes: Buffer | null;
  readonly isJson: boolean;
}

function renderPayload(step: StepDefinition, values: TemplateValues): RenderedBody {
  const body = unwrap(renderBody(step.body, values));
  if (body === null) return { bytes: null, isJson: false };
  const isJson = typeof body !== 'string';
  const bytes = Buffer.from(isJson ? JSON.stringify(body) : body);
  if (bytes.length > BODY_BYTES_MAX) {
    throw failure('The request body is larger than 1 MiB.');
  }
  return { bytes, isJson };
}

/** The request of a step; rejects what a template made unfit by throwing StepFailure. */
export function renderRequest(
  step: StepDefinition,
  given: TemplateValues,
  userAgent: string,
): WireRequest {
  const values = { ...given, budget: createTemplateBudget() };
  const url = renderAddress(step.url, values);
  const headers = step.headers.map((header) => renderHeader(header, values));
  const { bytes, isJson } = renderPayload(step, values);
  const defaults: NamedValue[] = [
    { name: 'user-agent', value: userAgent },
    { name: 'accept', value: '*/*' },
    { name: 'accept-encoding', value: 'gzip, deflate, br' },
    ...(isJson ? [{ name: 'content-type', value: 'application/json' }] : []),
  ];
  const names = new Set(headers.map(({ name }) => name.toLowerCase()));
  const added = defaults.filter(({ name }) => !names.has(name));
  return { method: step.method, url, headers: [...headers, ...added], body: bytes };
}
