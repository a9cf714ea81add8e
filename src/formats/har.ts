/** Reads the requests of a HAR recording (HTTP Archive 1.2), which browsers save. Pure. */
import { quoteFields, quoteUrl } from '../domain/templates/quote-texts';
import { quoteBraces } from '../domain/templates/template';
import { readList, readRecord, readText } from '../schemas/loose';
import {
  type FoundRequest,
  type FoundRequests,
  isMethodKnown,
  pickSendableContent,
  pickSendableHeaders,
  toBodyContent,
} from './found-requests';

/** Types of files that a page loads. Requests for such files are not preselected. */
const PAGE_RESOURCES = new Set([
  'stylesheet',
  'script',
  'image',
  'font',
  'media',
  'manifest',
  'ping',
]);
const FILE = /\.(?:css|js|mjs|map|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|mp4|webm)$/i;

export function readHar(file: Record<string, unknown>): FoundRequests {
  const entries = readList(readRecord(file['log'])['entries']).map(readRecord);
  const notes = new Set<string>();
  const requests = entries.flatMap((entry) => toRequest(entry, notes));
  const [page] = readList(readRecord(file['log'])['pages']).map(readRecord);
  const left = entries.length - requests.length;
  return {
    source: 'HAR',
    title: readText(page?.['title']),
    requests,
    variables: {},
    notes: [
      ...(left === 0 ? [] : [`${left} left out: their method cannot be sent.`]),
      'Cookies are not copied: a scenario keeps those that the responses set.',
      ...notes,
    ],
  };
}

/** Converts a recorded request. Quotes the braces in the request, because a recording has no variables. */
function toRequest(entry: Record<string, unknown>, notes: Set<string>): readonly FoundRequest[] {
  const request = readRecord(entry['request']);
  const method = readText(request['method']).toUpperCase();
  const url = readText(request['url']);
  if (!isMethodKnown(method) || !/^https?:/.test(url)) return [];
  const lines = readList(request['headers'])
    .map(readRecord)
    .map(({ name, value }) => [readText(name), readText(value)] as const);
  const path = readPath(url);
  const isWanted = !PAGE_RESOURCES.has(readText(entry['_resourceType'])) && !FILE.test(path);
  const data = readContent(readRecord(request['postData']));
  const content = quoteFields(pickSendableContent(method, data, (message) => notes.add(message)));
  const headers = pickSendableHeaders(lines.map(([header, value]) => [header, quoteBraces(value)]));
  return [{ name: `${method} ${path}`, method, url: quoteUrl(url), headers, content, isWanted }];
}

function readContent(data: Record<string, unknown>): FoundRequest['content'] {
  const params = readList(data['params']).map(readRecord);
  const type = readText(data['mimeType']);
  if (type.startsWith('application/x-www-form-urlencoded') && params.length > 0)
    return {
      form: Object.fromEntries(
        params.map(({ name, value }) => [decoded(readText(name)), decoded(readText(value))]),
      ),
    };
  return toBodyContent(readText(data['text']));
}

/** Decodes a form parameter. Browsers record it in encoded form. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function readPath(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
