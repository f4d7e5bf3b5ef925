import { ActionIcon, Kbd, Skeleton, Text, TextInput } from '@mantine/core';
import { useLocalStorage, useMediaQuery, useMergedRef } from '@mantine/hooks';
import { IconBarcode, IconLayoutGrid, IconLeaf, IconList } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  type ChangeEvent,
  type FocusEvent,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type Ref,
  use,
  useCallback,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Schema } from '../api.ts';
import { isScanCode } from '../scanner/scan-codes.ts';
import { t } from '../words/words.ts';
import { dollars } from './dollars.ts';
import { EmptyState } from './empty-state.tsx';
import { LoadFailure } from './load-failure.tsx';
import { LookUpNotices } from './look-up-notices.tsx';
import { Categories, type Category } from './menu-categories.tsx';
import { inOrderOfCategories } from './menu-query.ts';
import { MenuSourceContext } from './menu-source.ts';
import classes from './option-search.module.css';
import { useHighlight, useOfferedWords, useSearch } from './option-search-state.ts';
import { photoSource } from './photo-source.ts';
import { ProductGrid } from './product-grid.tsx';
import { type MenuProduct, onlyMatchingOption, type SaleOption } from './sale-options.ts';
import { useInStock } from './use-in-stock.ts';
import type { OptionLookUps } from './use-option-look-ups.ts';

interface OptionSearchProps {
  onAdd: (option: SaleOption) => void;
  lookUps: OptionLookUps;
  inputRef?: Ref<HTMLInputElement>;
  label?: string;
  /** Shows category buttons to browse by touch. */
  withCategories?: boolean;
  /** Offers pictures to touch in place of the list; a device that is touched begins with them. */
  withPictures?: boolean;
  /** What stands beside the field, such as the camera; the same element each time. */
  beside?: ReactNode;
  /** Shows the stock available for this order type. */
  stockFor?: Schema['StaffOrder']['type'];
}

/**
 * Finds items for a cart: by name with the arrow keys and Enter, by touch, or by a code and Enter. Enter submits the text and
 * clears the field at once; `lookUps` resolves it.
 */
export const OptionSearch = memo(function OptionSearch({
  onAdd,
  lookUps,
  inputRef,
  label = t`Search by name, or scan a UPC`,
  withCategories = false,
  withPictures = false,
  beside,
  stockFor,
}: OptionSearchProps) {
  const id = useId();
  // The field keeps its own text: a letter draws nothing but itself.
  const field = useRef<HTMLInputElement>(null);
  const ref = useMergedRef(field, inputRef);
  const [search, searchFor] = useSearch();
  const { current, highlighted, highlight } = useHighlight();
  const { found, category, setCategory, hasFavorites } = useFound(search, withPictures);
  const browsed = search === '' ? category : null;
  // Keys go before the drawing of a list of hundreds of lines.
  const data = useDeferredValue(found.data);
  const options = data?.options ?? [];
  const { isGrid, inStock, ...shown } = useShown(withPictures, data?.products ?? noProducts, stockFor);
  // A category's own button answers first, then what it shows.
  const isGridDrawn = useDeferredValue(isGrid);
  const categoryDrawn = useDeferredValue(category);
  const isFetchingDrawn = useDeferredValue(found.isFetching);
  const isCaughtUp = !found.isPlaceholderData && data === found.data;
  const chosen = Math.min(highlighted, options.length - 1);

  const write = useCallback(
    (words: string) => {
      if (field.current) field.current.value = words;
      searchFor(words);
      highlight(words === '' ? -1 : 0);
    },
    [searchFor, highlight],
  );
  const add = useCallback(
    (option: SaleOption) => {
      onAdd(option);
      write('');
    },
    [onAdd, write],
  );
  const browse = useCallback(
    (next: Category) => {
      write('');
      setCategory(next);
    },
    [setCategory, write],
  );
  useOfferedWords(lookUps, field, write);
  const chosenNow = () => Math.min(current(), options.length - 1);
  const addMeant = (wanted: string) => {
    const highlightedOption = options[chosenNow()];
    if (search === wanted && isCaughtUp && highlightedOption) {
      const option = onlyMatchingOption(options, wanted) ?? (isScanCode(wanted) ? null : highlightedOption);
      if (option) return add(option);
    }
    if (wanted === '') return;
    write('');
    lookUps.take(wanted);
  };
  const move = (position: number) => highlight(position, { isFeedback: true });
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const { value } = event.currentTarget;
    if (event.key === 'ArrowDown') move(Math.min(options.length - 1, chosenNow() + 1));
    else if (event.key === 'ArrowUp') move(Math.max(0, chosenNow() - 1));
    else if (event.key === 'Enter') addMeant(value.trim());
    else if (event.key === 'Escape' && value !== '') write('');
    else return;
    event.preventDefault();
    if (event.key === 'Escape') event.stopPropagation();
  };
  const onChange = useCallback(
    ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => {
      searchFor(value);
      highlight(value.trim() === '' ? -1 : 0);
    },
    [searchFor, highlight],
  );
  return (
    <div className={classes.search}>
      <div className={classes.asked}>
        <TextInput
          ref={ref}
          type="search"
          data-search
          data-autofocus
          aria-label={label}
          {...(!isGrid && comboboxOf(id, options, chosen))}
          placeholder={label}
          size="md"
          className={classes.field}
          autoComplete="off"
          leftSection={barcode}
          rightSection={isGrid ? undefined : slash}
          onKeyDown={onKeyDown}
          onFocus={select}
          onChange={onChange}
        />
        {beside}
      </div>
      <LookUpNotices lookUps={lookUps} />
      <div className={classes.ways} hidden={!withCategories && !withPictures}>
        {withCategories && <Categories {...{ hasFavorites, chosen: browsed }} onChoose={browse} />}
        {withPictures && <ViewSwitch {...shown} />}
      </div>
      <Results
        id={id}
        data={data}
        error={found.error}
        // Also while what was found is not drawn yet: nothing is blank meanwhile.
        isPending={data === undefined && found.error === null}
        isFetching={isFetchingDrawn}
        onRetry={found.refetch}
        chosen={chosen}
        inStock={inStock}
        isGrid={isGridDrawn}
        onAdd={add}
        search={search}
        category={categoryDrawn}
      />
    </div>
  );
});

const barcode = <IconBarcode size={20} aria-hidden />;
/** The style sheet hides it while something is typed. */
const slash = <Kbd size="xs">/</Kbd>;

/** The next scan replaces the previous search. */
const select = (event: FocusEvent<HTMLInputElement>): void => event.currentTarget.select();

/**
 * What is found, or browsed while nothing is typed. The counter begins with what sells most, so that most of what
 * is asked for is one touch away; a shop that has not sold anything yet begins with all.
 */
function useFound(search: string, withFavorites: boolean) {
  const source = use(MenuSourceContext);
  const favorites = useFavorites(withFavorites && source.favorites !== null);
  const [chosen, setCategory] = useState<Category | undefined>();
  const hasFavorites =
    withFavorites && source.favorites !== null && !favorites.error && favorites.data?.products.length !== 0;
  const usual = hasFavorites ? 'favorites' : null;
  const category = chosen === undefined ? usual : chosen;
  const isOfMenu = search !== '' || category !== 'favorites';
  const menu = useQuery({
    ...source.menu(search, category === 'favorites' ? null : category),
    placeholderData: keepPreviousData,
    enabled: isOfMenu,
  });
  return { found: isOfMenu ? menu : favorites, category, setCategory, hasFavorites };
}

/** What sells most, by the shop's categories in their order: flower first. */
function useFavorites(isAsked: boolean) {
  const source = use(MenuSourceContext);
  const found = useQuery({ ...(source.favorites ?? source.menu('', null)), enabled: isAsked });
  const categories = useQuery({ ...source.categories, enabled: isAsked }).data;
  const data = useMemo(
    () => found.data && inOrderOfCategories(found.data, categories ?? []),
    [found.data, categories],
  );
  return { ...found, data };
}

/** The options that were found, or why there are none. The chosen one is scrolled into view. */
const Results = memo(function Results({
  id,
  data,
  error,
  isPending,
  isFetching,
  onRetry,
  chosen,
  inStock,
  isGrid,
  onAdd,
  search,
  category,
}: {
  /** The list gets the id `<id>-options`, an option `<id>-<option>`. */
  id: string;
  data:
    | {
        readonly products: readonly MenuProduct[];
        readonly options: readonly SaleOption[];
        readonly isAll: boolean;
      }
    | undefined;
  error: Error | null;
  isPending: boolean;
  isFetching: boolean;
  onRetry: () => void;
  /** The position of the highlighted option; -1: none. */
  chosen: number;
  inStock: (option: SaleOption) => number | null;
  /** Cards in place of the list. */
  isGrid: boolean;
  onAdd: (option: SaleOption) => void;
  search: string;
  category: Category;
}) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen >= 0 && data)
      list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen, data]);
  return (
    <>
      {isGrid && data && data.options.length > 0 && (
        <ProductGrid products={data.products} isBusy={isFetching} inStock={inStock} onAdd={onAdd} />
      )}
      {isGrid && isPending && <Skeleton height={240} radius="md" />}
      {!isGrid && (
        <div
          ref={list}
          role="listbox"
          id={`${id}-options`}
          aria-label={t`On the menu`}
          aria-busy={isFetching}
          className={classes.results}
          hidden={data?.options.length === 0 || (error !== null && !data)}
          tabIndex={-1}
        >
          {isPending && <LoadingOptions />}
          {data?.options.map((option, index) => (
            <OptionRow
              key={option.productOptionId}
              id={`${id}-${option.productOptionId}`}
              option={option}
              inStock={inStock(option)}
              isCurrent={index === chosen}
              onAdd={onAdd}
            />
          ))}
        </div>
      )}
      {data && !data.isAll && (
        <Text size="xs" c="dimmed">
          {search
            ? t`More items match. Type more of the name.`
            : t`The menu has more items. Type to find one.`}
        </Text>
      )}
      {error && !data && <LoadFailure error={error} onRetry={onRetry} />}
      {data?.options.length === 0 && <EmptyState {...emptyWords(search, category)} />}
    </>
  );
});

/** Why there are no items, and what to do. */
function emptyWords(search: string, category: Category): { title: string; children: string } {
  if (search !== '') {
    return { title: t`No matching items`, children: t`Try fewer letters, or scan the UPC again.` };
  }
  return category === null
    ? { title: t`No items on the menu`, children: t`Add products under Menu & catalog.` }
    : { title: t`No items in this category`, children: t`Choose another category, or type a name.` };
}

/** The field controls the list of options. */
function comboboxOf(id: string, options: readonly SaleOption[], chosen: number) {
  return {
    role: 'combobox',
    'aria-expanded': options.length > 0,
    'aria-controls': `${id}-options`,
    'aria-activedescendant': chosen >= 0 ? `${id}-${options[chosen]?.productOptionId}` : undefined,
  };
}

/** Whether the items are cards, and the units of them that are in stock. */
function useShown(
  withPictures: boolean,
  products: readonly MenuProduct[],
  stockFor: Schema['StaffOrder']['type'] | undefined,
) {
  const [view, onView] = useView();
  const ids = stockFor ? products.map(({ id }) => id) : [];
  const inStock = useInStock(ids, stockFor ?? 'in-store');
  return { isGrid: withPictures && view === 'pictures', inStock, view, onView };
}

const noProducts: readonly MenuProduct[] = [];

/** Chosen once for the device: pictures where there is no mouse, or little room. */
function useView() {
  const isTouched = useMediaQuery('(hover: none), (max-width: 75em)', false, {
    getInitialValueInEffect: false,
  });
  const [chosen, choose] = useLocalStorage<'list' | 'pictures' | null>({
    key: 'counter-view',
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  return [chosen ?? (isTouched ? 'pictures' : 'list'), choose] as const;
}

function ViewSwitch({
  view,
  onView,
}: {
  view: 'list' | 'pictures';
  onView: (view: 'list' | 'pictures') => void;
}) {
  const isList = view === 'list';
  return (
    <ActionIcon
      variant="default"
      size={44}
      aria-label={isList ? t`Show pictures` : t`Show a list`}
      onClick={() => onView(isList ? 'pictures' : 'list')}
    >
      {isList ? <IconLayoutGrid size={20} aria-hidden /> : <IconList size={20} aria-hidden />}
    </ActionIcon>
  );
}

/** Plain elements: a list has hundreds of them, drawn again with every letter that is typed. */
const OptionRow = memo(function OptionRow({
  id,
  option,
  inStock,
  isCurrent,
  onAdd,
}: {
  id: string;
  option: SaleOption;
  /** Null: unknown. */
  inStock: number | null;
  isCurrent: boolean;
  onAdd: (option: SaleOption) => void;
}) {
  const photo = photoSource(option.photo);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field that controls the list has the keys
    <div
      id={id}
      role="option"
      aria-selected={isCurrent}
      data-category={option.category}
      tabIndex={-1}
      className={classes.option}
      onClick={() => onAdd(option)}
    >
      <span className={classes.photo}>
        {photo ? (
          <img src={photo} alt={option.photoAltText ?? ''} loading="lazy" />
        ) : (
          <IconLeaf size={20} aria-hidden />
        )}
      </span>
      <span className={classes.names}>
        <span className={classes.name}>{option.productName}</span>
        <span className={classes.note}>
          {[option.brandName, option.category].filter(Boolean).join(' · ')}
          <span className={classes.narrow}>{option.thc && ` · ${option.thc}`}</span>
        </span>
      </span>
      <span className={classes.thc}>{option.thc}</span>
      <span className={classes.size}>
        <span className={classes.name}>{option.optionName}</span>
        {inStock !== null && !option.loose && (
          <span className={classes.note} data-out={inStock === 0 || undefined}>
            {inStock === 0 ? t`Out of stock` : t`${inStock} in stock`}
          </span>
        )}
      </span>
      <span className={classes.price}>
        <span className={classes.name}>{dollars(option.price)}</span>
        {option.regularPrice !== null && <s className={classes.note}>{dollars(option.regularPrice)}</s>}
      </span>
    </div>
  );
});

function LoadingOptions() {
  return [0, 1, 2, 3, 4, 5].map((row) => (
    <div key={row} className={classes.option} aria-hidden>
      <Skeleton height={40} radius="sm" />
      <Skeleton height={14} width="60%" radius="xl" />
      <Skeleton height={14} width={56} radius="xl" />
    </div>
  ));
}
