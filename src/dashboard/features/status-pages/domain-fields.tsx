/** The input for the custom domains of a status page, and the verification state of each domain. */
import { List, TagsInput, Text } from '@mantine/core';
import type { StatusPage, StatusPageDomains } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { Unread } from '../../shared/loading/unread';
import { TEXT } from './strings';

interface DomainFieldsProps {
  readonly domains: readonly string[];
  readonly onChange: (domains: readonly string[]) => void;
  readonly fault: string | null;
}

/** The input for the domains. */
export function DomainFields({ domains, onChange, fault }: DomainFieldsProps) {
  return (
    <TagsInput
      label={TEXT.domains}
      description="Host names like status.example.com that lead to this service. Press Enter after each."
      value={[...domains]}
      onChange={onChange}
      acceptValueOnBlur
      error={fault}
    />
  );
}

/** Verification state of each domain of a saved page. */
export function DomainStates({ page: { id, domains } }: { readonly page: StatusPage }) {
  const path = `/v1/status-pages/${id}/domains`;
  const { data, error } = useRead<StatusPageDomains>(path);
  if (domains.length === 0) return null;
  return (
    <>
      <Unread of={{ data, error }} shape={null} />
      <List size="sm">
        {data?.data.map(({ host, isVerified, nextCheckAt, problem }) => (
          <List.Item key={host}>
            {host}: {isVerified ? 'leads here, and shows the page' : waitingText(nextCheckAt)}
            {!isVerified && problem !== null && (
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {problem}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
    </>
  );
}

function waitingText(nextCheckAt: string | null): string {
  return nextCheckAt === null
    ? 'does not lead here. Save the page to check it again.'
    : 'not verified yet. It is checked every minute at first, then every hour.';
}
