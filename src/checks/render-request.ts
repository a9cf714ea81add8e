/** Fills in a step's templates and makes the request of it. Nothing is sent from here. */
import type { NamedValue, StepDefinition } from '../contracts/definition';
import { isFramingHeader, isHeaderName } from '../domain/header-rules';
import {
  type Rendered,
  renderBody,
  renderText,
  renderUrl,
  type TemplateValues,
} from '../domain/template';
import type { WireRequest } from './exchange';
import { StepFailure } from './step-failure';

/** Visible characters, space and tab, and bytes above ASCII: no CR, LF or NUL. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

function failure(message: string): StepFailure {
  return new StepFailure('template_error', message, 'prepare');
}

function unwrap<Value>(rendered: Rendered<Value>): Value {
  if (rendered.ok) return rendered.value;
  throw new StepFailure(rendered.fault.code, rendered.fault.message, 'prepare');
}

function renderAddress(text: string, values: TemplateValues): URL {
  const rendered = unwrap(renderUrl(text, values)).trim();
  if (!URL.canParse(rendered)) throw failure('The address is not a URL once it is filled in.');
  const url = new URL(rendered);
  if (url.username !== '' || url.password !== '') {
    throw failure('The address holds a user name or password; send an Authorization header.');
  }
  return url;
}

function renderHeader({ name, value }: NamedValue, values: TemplateValues): NamedValue {
  const rendered = unwrap(renderText(value, values));
  if (!isHeaderName(name) || isFramingHeader(name)) {
    throw failure(`The header ${JSON.stringify(name)} can not be set.`);
  }
  if (!HEADER_VALUE.test(rendered)) {
    throw failure(`The value of the header ${name} holds characters that headers can not carry.`);
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
  if (typeof body === 'string') return { bytes: Buffer.from(body), isJson: false };
  return { bytes: Buffer.from(JSON.stringify(body)), isJson: true };
}

/** The request of a step; rejects what a template made unfit by throwing StepFailure. */
export function renderRequest(
  step: StepDefinition,
  values: TemplateValues,
  userAgent: string,
): WireRequest {
  const url = renderAddress(step.url, values);
  const headers = step.headers.map((header) => renderHeader(header, values));
  const { bytes, isJson } = renderPayload(step, values);
  const defaults: NamedValue[] = [
    { name: 'user-agent', value: userAgent },
    { name: 'accept', value: '*/*' },
    { name: 'accept-encoding', value: 'gzip, deflate, br' },
    ...(isJson ? [{ name: 'content-type', value: 'application/json' }] : []),
  ];
  const given = new Set(headers.map(({ name }) => name.toLowerCase()));
  const added = defaults.filter(({ name }) => !given.has(name));
  return { method: step.method, url, headers: [...headers, ...added], body: bytes };
}
