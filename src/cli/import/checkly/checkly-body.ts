/** The method and body of a Checkly request: JSON, a form, GraphQL, or plain text. */
import { parseJsonOrText } from '../../json-or-text';
import type { Fields } from '../imported';

interface Request {
  readonly method?: string | null | undefined;
  readonly body?: string | null | undefined;
  readonly bodyType?: string | null | undefined;
}

const FORM_FIELDS_MAX = 100;
const WITHOUT_BODY: readonly string[] = ['GET', 'HEAD'];

/** Returns the method, and the body if there is one. */
export function importRequest(
  { method: given, body: text, bodyType }: Request,
  note: (message: string) => void,
): Fields {
  const method = given ?? 'GET';
  if (!text || bodyType === 'NONE') return { method };
  if (bodyType === 'GRAPHQL') {
    if (method.toUpperCase() !== 'POST') note(`sends GraphQL by ${method}; imported as POST`);
    note('sends GraphQL: a response with errors is a failure here');
    return { method: 'POST', graphql: importGraphql(text) };
  }
  if (WITHOUT_BODY.includes(method.toUpperCase())) {
    note(`has a body with ${method}, which cannot have one here; the body is left out`);
    return { method };
  }
  const form = bodyType === 'FORM' ? importForm(text) : null;
  if (form !== null) return { method, form };
  if (bodyType === 'FORM')
    note(
      'sends a form with a repeated field; imported as text, so set its Content-Type as a header',
    );
  return { method, body: bodyType === 'RAW' || bodyType === 'FORM' ? text : parseJsonOrText(text) };
}

/** Converts a GraphQL body. The text is either a query or the whole GraphQL request as JSON. */
function importGraphql(text: string): Fields {
  const parsed = parseJsonOrText(text);
  const isWhole = typeof parsed === 'object' && parsed !== null && 'query' in parsed;
  if (!isWhole) return { query: text.trim() };
  const { query, variables, operationName }: Fields = { ...parsed };
  return {
    query: String(query),
    ...(typeof variables === 'object' && variables !== null && { variables }),
    ...(typeof operationName === 'string' && operationName !== '' && { operationName }),
  };
}

/** Converts a form. Returns null if a name occurs twice, or if there are too many fields. */
function importForm(text: string): Fields | null {
  const entries = [...new URLSearchParams(text)];
  const names = new Set(entries.map(([name]) => name));
  if (names.size < entries.length || entries.length > FORM_FIELDS_MAX) return null;
  return Object.fromEntries(entries);
}
