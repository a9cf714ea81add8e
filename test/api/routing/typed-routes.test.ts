/**
 * Tests that the compiler enforces what a route must declare and what its handler may return: `tsc` reads this file.
 */
import { z } from 'zod';
import { route } from '../../../src/api/routing/route';
import { DONE } from '../../../src/api/routing/route-doc';

const thing = z.strictObject({ name: z.string(), tags: z.array(z.string()) });
const DOC = {
  operationId: 'getThing',
  tag: 'Service',
  summary: 'Get a thing',
  description: 'Returns a thing.',
  guide: 'docs/api.md',
} as const;
const READ = { ...DOC, scope: 'read' } as const;
const responses = { 200: { description: 'The thing', schema: thing } };
const stored: { readonly name: string; readonly tags: readonly string[] } = { name: 'a', tags: [] };

test('a handler with a documented body compiles, even if the type of the body is read-only', () => {
  const entry = route({
    ...READ,
    endpoint: 'GET /v1/thing',
    responses,
    handler: async () => ({ status: 200, body: stored }),
  });
  expect(entry).toMatchObject({ method: 'GET', path: '/v1/thing', audit: null, doc: DOC });
});

test('a handler with an undocumented status or body does not compile', () => {
  const spec = { ...READ, endpoint: 'GET /v1/thing', responses } as const;
  const others = [
    // @ts-expect-error 201 is not documented
    route({ ...spec, handler: async () => ({ status: 201, body: stored }) }),
    // @ts-expect-error the body lacks a field
    route({ ...spec, handler: async () => ({ status: 200, body: { name: 'a' } }) }),
    // @ts-expect-error the documented body is missing
    route({ ...spec, handler: async () => ({ status: 200 }) }),
  ];
  expect(others).toHaveLength(3);
});

test('a route without documentation does not compile', () => {
  const { operationId: _name, ...nameless } = READ;
  const handler = async () => ({ status: 204 }) as const;
  // @ts-expect-error the operation id is missing
  const entry = route({ ...nameless, endpoint: 'GET /v1/thing', responses: DONE, handler });
  expect(entry.doc.operationId).toBeUndefined();
});

test('a route that changes something compiles only if it declares an audit action', () => {
  const WRITE = { ...READ, responses: DONE, handler: async () => ({ status: 204 }) as const };
  // @ts-expect-error no audit action is declared
  const silent = route({ ...WRITE, endpoint: 'DELETE /v1/thing' });
  const named = route({ ...WRITE, endpoint: 'DELETE /v1/thing', audit: 'thing.delete' });
  const person = { action: 'session.open', resourceType: 'user' } as const;
  const other = route({ ...WRITE, endpoint: 'POST /v1/thing', audit: person });
  expect(silent.audit).toBeNull();
  expect(named.audit).toEqual({ action: 'thing.delete', resourceType: 'thing' });
  expect(other.audit).toEqual(person);
});
