/** Creates random bytes for ids. Every replay creates the same bytes. */
import { uuid4 } from '@temporalio/workflow';

/** Returns ten random bytes. Uses only the random digits of a UUID. */
export function createTenRandomBytes(): Uint8Array {
  const digits = uuid4().replaceAll('-', '');
  const random = digits.slice(0, 12) + digits.slice(-8);
  return Uint8Array.from({ length: 10 }, (_, index) =>
    Number.parseInt(random.slice(index * 2, index * 2 + 2), 16),
  );
}
