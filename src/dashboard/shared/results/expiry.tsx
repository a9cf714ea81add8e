/** When a certificate or a domain registration expires, and when people are warned. */
import { Text } from '@mantine/core';
import { RelativeTime } from '../text/time';

interface ExpiryProps {
  readonly of: 'Certificate' | 'Registration';
  /** The expiry. If there are several certificates, the earliest expiry. null means that none was seen. */
  readonly at: string | null;
  readonly warning: number | null;
}

/** Shows the expiry. Renders nothing if none was seen. */
export function Expiry({ of: what, at, warning }: ExpiryProps) {
  if (at === null) return null;
  return (
    <Text size="sm" {...(warning === null && { c: 'dimmed' })}>
      {what} expires <RelativeTime at={at} />
      {warning !== null && ` · ${warning}-day warning`}
    </Text>
  );
}
