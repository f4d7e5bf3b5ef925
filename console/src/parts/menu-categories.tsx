import { Button, UnstyledButton } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { memo, use, useRef } from 'react';
import { t } from '../words/words.ts';
import { MenuSourceContext } from './menu-source.ts';
import classes from './option-search.module.css';

/** A category of the menu; null: all. */
export type Category = number | null | 'favorites';

/** The menu's categories, to browse one, in one row; a typed search covers all of them. */
export const Categories = memo(function Categories({
  chosen,
  hasFavorites,
  onChoose,
}: {
  chosen: Category;
  hasFavorites: boolean;
  onChoose: (category: Category) => void;
}) {
  const all: readonly { readonly id: Category; readonly name: string }[] = [
    ...(hasFavorites ? [{ id: 'favorites' as const, name: t`Favorites` }] : []),
    { id: null, name: t`All` },
  ];
  const categories = useQuery(use(MenuSourceContext).categories);
  const row = useRef<HTMLFieldSetElement>(null);
  const turn = (way: 1 | -1) =>
    row.current?.scrollBy({ left: way * row.current.clientWidth * 0.8, behavior: 'smooth' });
  return (
    <div className={classes.band}>
      <TurnButton way={-1} onTurn={turn} />
      <fieldset ref={row} aria-label={t`Categories`} className={classes.categories}>
        {[...all, ...(categories.data ?? [])].map(({ id, name }) => (
          <Button
            key={id}
            variant={id === chosen ? 'filled' : 'default'}
            size="sm"
            radius="xl"
            aria-pressed={id === chosen}
            onClick={() => onChoose(id)}
          >
            {name}
          </Button>
        ))}
      </fieldset>
      <TurnButton way={1} onTurn={turn} />
    </div>
  );
});

/** Scrolls the row for a mouse; fingers drag it, and the keyboard's focus scrolls it by itself. */
function TurnButton({ way, onTurn }: { way: 1 | -1; onTurn: (way: 1 | -1) => void }) {
  const Icon = way === 1 ? IconChevronRight : IconChevronLeft;
  return (
    <UnstyledButton className={classes.turn} tabIndex={-1} aria-hidden onClick={() => onTurn(way)}>
      <Icon size={18} />
    </UnstyledButton>
  );
}
