/** Converts the body of another tool's request, if a step of ours can send the same body. */
import { mayHoldLargeIntegers, parseJson } from '../../contracts/json';
import { quoteTexts } from '../../domain/templates/quote-texts';
import type { Fields, NoteTaker } from './imported';

const WITHOUT_BODY: readonly string[] = ['GET', 'HEAD'];

interface Sent extends NoteTaker {
  readonly method: string;
  readonly text: string | null | undefined;
  /** The content type that the tool sends by default. */
  readonly contentType: string | null;
  readonly headers: Fields;
}

/**
 * Returns the body and headers. JSON text becomes an object if the sent bytes mean the same. `{{` in the text does not
 * become a reference.
 */
export function importBody({ method, text, contentType, headers, note }: Sent): Fields {
  if (!text) return { headers };
  if (WITHOUT_BODY.includes(method.toUpperCase())) {
    note(`has a body with ${method}, which cannot have one here; the body is left out`);
    return { headers };
  }
  const isNamed = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const mayBeJson = contentType === null || contentType === 'application/json';
  const json = mayBeJson && isPlainJson(text) ? parseJson(text) : undefined;
  const isJson = json !== undefined && json !== null && typeof json === 'object';
  const added = isNamed || contentType === null ? {} : { 'Content-Type': contentType };
  return {
    headers: isJson && contentType === 'application/json' ? headers : { ...headers, ...added },
    body: quoteTexts(isJson ? json : text),
  };
}

/** True if the JSON contains no integers that a JavaScript number would change. */
function isPlainJson(text: string): boolean {
  return !mayHoldLargeIntegers(text);
}
