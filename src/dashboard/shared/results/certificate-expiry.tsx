/** When a certificate expires, and whether people were to be warned of it. It shows no address. */
import { Text } from '@mantine/core';
import type { Scenario } from '../data/api-types';
import { RelativeTime } from '../text/time';

interface CertificateExpiryProps {
  /** Of a scenario, whose steps may meet several: the first one. */
  readonly of: Pick<Scenario, 'tlsExpiresAt' | 'tlsWarning'>;
}

/** Nothing where no certificate was seen. */
export function CertificateExpiry({ of: { tlsExpiresAt, tlsWarning } }: CertificateExpiryProps) {
  if (tlsExpiresAt === null) return null;
  return (
    <Text size="sm" {...(tlsWarning === null && { c: 'dimmed' })}>
      Certificate expires <RelativeTime at={tlsExpiresAt} />
      {tlsWarning !== null && ` · ${tlsWarning}-day warning`}
    </Text>
  );
}
