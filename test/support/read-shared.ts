/** Requests data about a server that the suites of a run share from jest's parent process. */
import type { z } from 'zod';

/** Requests the path. If no suite has requested the server before, the parent process starts it. */
export async function readShared<Shape extends z.ZodType>(
  path: string,
  shape: Shape,
): Promise<z.infer<Shape>> {
  const host = process.env['KEEPWATCH_TEST_SHARED'];
  if (host === undefined) throw new Error('this suite needs global-setup.ts');
  const answer = await fetch(host + path);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return shape.parse(JSON.parse(text));
}
