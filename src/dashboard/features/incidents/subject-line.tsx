/** A link to the check or identity provider that an incident is about. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Incident } from '../../shared/data/api-types';
import { SUBJECT_WORDS } from './strings';

export function SubjectLine({ incident }: { readonly incident: Incident }) {
  const { resourceType, resourceId, resourceName, identityProvider } = incident;
  if (identityProvider === null)
    return (
      <>
        {SUBJECT_WORDS[resourceType]}:{' '}
        <Anchor component={Link} to={`/${resourceType}s/${resourceId}`} inherit>
          {resourceName}
        </Anchor>
      </>
    );
  const { tokenUrl, checkCount, checks } = identityProvider;
  const others = checkCount - checks.length;
  return (
    <>
      {SUBJECT_WORDS[resourceType]}: {tokenUrl}. Checks that could not sign in ({checkCount}):{' '}
      {checks.map((check, index) => (
        <span key={check.resourceId}>
          {index > 0 && ', '}
          <Anchor component={Link} to={`/${check.resourceType}s/${check.resourceId}`} inherit>
            {check.resourceName}
          </Anchor>
        </span>
      ))}
      {others > 0 && ` and ${others} others`}
    </>
  );
}
