/** When a certificate or a domain registration expires, and the warning that people get for it. Shows no host name. */
import { Text } from '@mantine/core';
import { RelativeTime } from '../text/time';

interface ExpiryProps {
  readonly of: 'Certificate' | 'Registration';
  /**
   * When the certificate or registration expires; null if none was seen. If a scenario uses several
   * certificates, this is the earliest expiry.
   */
  readonly at: string | null;
  readonly warning: number | null;
}

/** Renders nothing if nothing expires. */
export function Expiry({ of: what, at, warning }: ExpiryProps) {
  if (at === null) return null;
  return (
    <Text size="sm" {...(warning === null && { c: 'dimmed' })}>
      {what} expires <RelativeTime at={at} />
      {warning !== null && ` · ${warning}-day warning`}
    </Text>
  );
}
