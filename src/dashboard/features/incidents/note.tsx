/** A note of a teammate, with its links, its code and its bold words. */
import { Anchor, Code, Text } from '@mantine/core';
import { type Piece, piecesOf } from './note-text';

export function Note({ text }: { readonly text: string }) {
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {piecesOf(text).map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never change places.
        <Shown key={index} piece={piece} />
      ))}
    </Text>
  );
}

function Shown({ piece: { kind, text, href } }: { readonly piece: Piece }) {
  if (kind === 'bold') return <b>{text}</b>;
  if (kind === 'code') return <Code>{text}</Code>;
  if (kind === 'text') return text;
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" size="sm" underline="always">
      {text}
    </Anchor>
  );
}
