/** Restores header values that a client sends back as masks. */
import { isRecord } from '../../contracts/json';
import { type Fields, findEntry, nameEntry } from '../../domain/definitions/layers';
import { HEADER_MASK } from '../../domain/secrets/sensitive-headers';

/** Replaces each masked header by the stored value of the header with the same name. */
export function unmaskHeaders(sent: Fields, stored: Fields): Fields {
  const { headers } = sent;
  if (!isRecord(headers)) return sent;
  const unmasked = Object.entries(headers).map(([name, value]) => {
    if (value !== HEADER_MASK) return [name, value];
    return [name, findEntry('headers', stored['headers'], nameEntry('headers', name)) ?? value];
  });
  return { ...sent, headers: Object.fromEntries(unmasked) };
}
