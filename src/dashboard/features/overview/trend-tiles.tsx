/** Four figures of the last 24 hours, each with its change from the 24 hours before. */
import { Paper, SimpleGrid, Text } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight, IconMinus } from '@tabler/icons-react';
import type { Trends } from '../../shared/data/api-types';
import classes from './overview.module.css';
import { buildTiles, type Tile } from './trend';

const ICONS = { up: IconArrowUpRight, down: IconArrowDownRight, same: IconMinus } as const;
const WORDS = { up: 'up by', down: 'down by', same: '' } as const;

export function TrendTiles({ trends }: { readonly trends: Trends }) {
  return (
    <SimpleGrid
      component="section"
      aria-label="Last 24 hours"
      cols={{ base: 2, md: 4 }}
      spacing="sm"
    >
      {buildTiles(trends).map((tile) => (
        <Paper key={tile.label} withBorder p="md">
          <Text size="sm" c="dimmed">
            {tile.label}
          </Text>
          <Text fz={28} fw={650} lh={1.25} className={classes['figure'] ?? ''}>
            {tile.value}
          </Text>
          <ChangeText change={tile.change} about={tile.about} />
        </Paper>
      ))}
    </SimpleGrid>
  );
}

function ChangeText({ change, about }: Pick<Tile, 'change' | 'about'>) {
  const first = about === null ? '' : `${about} · `;
  if (change === null) {
    return (
      <Text size="xs" c="dimmed">
        {first}last 24 h
      </Text>
    );
  }
  const Icon = ICONS[change.direction];
  const tone = change.direction === 'same' ? 'same' : change.isGood ? 'good' : 'bad';
  return (
    <Text size="xs" c="dimmed" className={classes['change'] ?? ''}>
      {first}
      <span className={classes['change-value']} data-tone={tone}>
        <Icon size={14} aria-hidden />
        <span className={classes['unseen']}>{WORDS[change.direction]} </span>
        {change.text}
      </span>{' '}
      <span className={classes['before']}>vs. 24 h before</span>
    </Text>
  );
}
