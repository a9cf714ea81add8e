/** The parameters in the path of a request. */
import type { Request } from 'express';
import { isId } from '../../domain/definitions/ids';
import { AppError } from '../../platform/errors';
import { ID_PARAMETERS } from '../server/id-parameters';

export function readParams(request: Request): ReadonlyMap<string, string> {
  const params = new Map<string, string>();
  for (const [name, value] of Object.entries(request.params))
    params.set(name, typeof value === 'string' ? value : value.join('/'));
  return params;
}

/** Throws `not_found` for malformed ids, as for unknown ids. */
export function refuseMalformedIds(params: ReadonlyMap<string, string>): void {
  for (const [name, text] of params) {
    const kind = ID_PARAMETERS.get(name);
    if (kind !== undefined && !isId(kind, text)) throw new AppError('not_found', 'Not found.');
  }
}
