/** When a certificate or a registration expires, and whether people were to be warned of it. It shows no address. */
import { Text } from '@mantine/core';
import { RelativeTime } from '../text/time';

interface ExpiryProps {
  readonly of: 'Certificate' | 'Registration';
  /** When it expires; null: none was seen. A scenario may meet several certificates: this is the first to expire. */
  readonly at: string | null;
  readonly warning: number | null;
}

/** Nothing where there is nothing to expire. */
export function Expiry({ of: what, at, warning }: ExpiryProps) {
  if (at === null) return null;
  return (
    <Text size="sm" {...(warning === null && { c: 'dimmed' })}>
      {what} expires <RelativeTime at={at} />
      {warning !== null && ` · ${warning}-day warning`}
    </Text>
  );
}
