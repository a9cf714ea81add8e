/** A teammate's note, rendered from Markdown. HTML in the note is shown as text. */
import { Anchor, Code, Stack, Text } from '@mantine/core';
import classes from './note.module.css';
import { type NoteBlock, parseBlocks } from './note-blocks';
import { type Piece, splitText } from './note-text';

export function Note({ text }: { readonly text: string }) {
  return (
    <Stack gap={6} className={classes['note'] ?? ''}>
      {parseBlocks(text).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of one text never change places.
        <Block key={index} block={block} />
      ))}
    </Stack>
  );
}

function Block({ block }: { readonly block: NoteBlock }) {
  switch (block.kind) {
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul';
      return (
        <List>
          {block.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the items of one text never change places.
            <li key={index}>
              <Line text={item} />
            </li>
          ))}
        </List>
      );
    }
    case 'code':
      return <Code block>{block.text}</Code>;
    case 'quote':
      return (
        <blockquote>
          <Line text={block.text} />
        </blockquote>
      );
    case 'heading':
      return (
        <Text size="sm" fw={700}>
          <Line text={block.text} />
        </Text>
      );
    case 'text':
      return (
        <Text size="sm">
          <Line text={block.text} />
        </Text>
      );
  }
}

function Line({ text }: { readonly text: string }) {
  return splitText(text).map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never change places.
    <Shown key={index} piece={piece} />
  ));
}

function Shown({ piece: { kind, text, href } }: { readonly piece: Piece }) {
  if (kind === 'bold') return <b>{text}</b>;
  if (kind === 'italic') return <i>{text}</i>;
  if (kind === 'code') return <Code>{text}</Code>;
  if (kind === 'text') return text;
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" size="sm" underline="always">
      {text}
    </Anchor>
  );
}
