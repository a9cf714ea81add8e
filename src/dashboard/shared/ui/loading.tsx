/** Shows that something is loading. The placeholder has about the final shape. */
import { Skeleton, Stack } from '@mantine/core';
import { TEXT } from '../text/strings';

export function Loading() {
  return (
    <Stack gap="sm" py="sm" role="status" aria-label={TEXT.loading}>
      <Skeleton h={26} w="min(100%, 240px)" />
      <Skeleton h={72} />
      <Skeleton h={72} />
    </Stack>
  );
}
