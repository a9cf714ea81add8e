/** Shows its children to those who may write; the others are told why there is nothing to fill in. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCan } from '../../../shared/data/session';
import { EmptyState } from '../../../shared/ui/empty-state';
import { LIST_TEXT } from '../strings';

export function WritersOnly({ children }: { readonly children: ReactNode }) {
  if (useCan('write')) return children;
  return (
    <EmptyState
      title={LIST_TEXT.readOnly}
      text={LIST_TEXT.whyReadOnly}
      action={
        <Button component={Link} to="/scenarios" variant="default">
          {LIST_TEXT.title}
        </Button>
      }
    />
  );
}
