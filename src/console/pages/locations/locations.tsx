import metadata from 'metadata:/api/stock/location/'
import { useSignal } from '@preact/signals'
import { useEffect, useId, useMemo, useRef } from 'preact/hooks'
import { PrintLabels } from '../../kit/files/print-labels.tsx'
import { count, number, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { navigate, query, setQuery } from '../../kit/navigation/router.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Badge, Empty, Page } from '../../kit/page/page.tsx'
import { may } from '../../kit/service/session.ts'
import type { Column } from '../../kit/table/column.ts'
import { Table } from '../../kit/table/table.tsx'
import type { Location } from './location-details.ts'
import { linesOf, locationTree, TOP } from './location-tree.ts'
import { NewLocation } from './new-location.tsx'

const columns: readonly Column<Location>[] = [
  {
    name: 'pathstring',
    title: () => t('locations.place'),
    cell: ({ pk, pathstring }) => <a href={`/stock/location/${pk}/`}>{pathstring}</a>,
  },
  { name: 'description', order: null, isWide: true, cell: ({ description }) => description },
  { name: 'items', title: () => t('locations.items'), width: '8rem', align: 'end', cell: ({ items }) => number(items) },
]

/** `/stock/location/`: the tree of locations with the number of their stock items; search results are in a table. */
export function Locations() {
  const isMaking = useSignal(false)
  const mayAdd = may('add', 'stock_location')
  const make = () => {
    isMaking.value = true
  }
  useCommands(() => (mayAdd ? [{ keys: 'n', label: () => t('locations.new'), run: make }] : []), [mayAdd])
  const button = mayAdd && (
    <button type="button" class="primary" onClick={make}>
      <Icon name="plus" />
      {t('locations.new')}
    </button>
  )
  const labelled = useSignal<readonly number[] | undefined>(undefined)
  const printLabels = (locations: readonly Location[]) => {
    labelled.value = locations.map(({ pk }) => pk)
  }
  const isTable = query('view') === 'table'
  const actions = (
    <>
      <button type="button" onClick={() => setQuery({ view: isTable ? undefined : 'table', search: undefined, at: undefined })}>
        {isTable ? t('locations.as-tree') : t('locations.as-table')}
      </button>
      {button}
    </>
  )
  const empty = (
    <Empty icon="place" title={t('locations.none')}>
      {button}
    </Empty>
  )
  return (
    <Page title={t('locations.title')} actions={actions} isFull={isTable}>
      {isTable ? (
        <Table
          metadata={metadata}
          columns={columns}
          filters={['parent', 'structural', 'external', 'location_type', 'tags__name']}
          rareFilters={['tags__name']}
          to={({ pk }) => `/stock/location/${pk}/`}
          title={t('locations.title')}
          actions={[{ keys: 'Shift+P', label: () => t('labels.title'), icon: 'print', run: printLabels }]}
          empty={empty}
        />
      ) : (
        <Tree empty={empty} />
      )}
      {labelled.value && (
        <PrintLabels
          kind="location"
          items={labelled.value}
          onClose={() => {
            labelled.value = undefined
          }}
        />
      )}
      {isMaking.value && (
        <NewLocation
          onClose={() => {
            isMaking.value = false
          }}
        />
      )}
    </Page>
  )
}

/** The expanded locations are in the address. Keys: up and down move, right expands, left collapses, Enter opens the page. */
function Tree({ empty }: { empty: preact.ComponentChildren }) {
  const tree = useMemo(locationTree, [])
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const selected = useSignal(0)
  const open = new Set((query('open') ?? '').split('.').filter(Boolean).map(Number))
  useEffect(() => tree.ensureLoaded([TOP, ...open]), [query('open')])
  const below = tree.below.value
  const lines = linesOf(below, open)
  const setOpen = ({ pk }: Location, isOpen: boolean) => {
    if (isOpen) open.add(pk)
    else open.delete(pk)
    setQuery({ open: [...open].join('.') }, { replace: true })
  }
  const select = (at: number) => {
    selected.value = Math.min(Math.max(0, at), lines.length - 1)
    list.current?.children[selected.value]?.scrollIntoView({ block: 'nearest' })
  }
  const moves = useRef({ lines, select, setOpen })
  moves.current = { lines, select, setOpen }
  const line = () => moves.current.lines[selected.value]
  useCommands(() => [
    { keys: 'ArrowDown', label: () => t('key.down'), run: () => moves.current.select(selected.value + 1), isLocal: true },
    { keys: 'ArrowUp', label: () => t('key.up'), run: () => moves.current.select(selected.value - 1), isLocal: true },
    { keys: 'ArrowRight', label: () => t('locations.open'), run: () => turn(true), isLocal: true },
    { keys: 'ArrowLeft', label: () => t('locations.close'), run: () => turn(false), isLocal: true },
    {
      keys: 'Enter',
      label: () => t('key.open'),
      run: () => {
        const chosen = line()
        if (chosen?.location) navigate(`/stock/location/${chosen.location.pk}/`)
        else if (chosen) tree.more(chosen.of)
      },
      isLocal: true,
    },
  ])
  /** Expands or collapses the location; if it is already, moves to its first child or its parent. */
  function turn(isOpen: boolean): void {
    const chosen = line()
    if (!chosen) return
    const { location, depth } = chosen
    if (isOpen && !location?.sublocations) return
    if (location && chosen.isOpen !== isOpen && location.sublocations > 0) moves.current.setOpen(location, isOpen)
    else if (isOpen) moves.current.select(selected.value + 1)
    else moves.current.select(moves.current.lines.findLastIndex((one, at) => at < selected.value && one.depth < depth))
  }

  if (tree.error.value) return <Empty icon="warning" title={tree.error.value.message} />
  if (!below.has(TOP)) return null
  if (lines.length === 0) return <>{empty}</>
  return (
    <ul
      ref={list}
      class="tree panel"
      role="tree"
      aria-label={t('locations.title')}
      tabIndex={0}
      aria-activedescendant={`${id}-${selected.value}`}
    >
      {lines.map((one, at) => {
        const { location, depth, isOpen } = one
        if (!location)
          return (
            <li
              key={`more ${one.of}`}
              id={`${id}-${at}`}
              role="treeitem"
              aria-level={depth + 1}
              aria-selected={at === selected.value}
              style={{ paddingLeft: `${depth * 20}px` }}
            >
              <span class="tree-leaf" />
              <button
                type="button"
                class="quiet"
                tabIndex={-1}
                onClick={() => {
                  selected.value = at
                  tree.more(one.of)
                }}
              >
                {count('locations.more', one.more)}
              </button>
            </li>
          )
        return (
          <li
            key={location.pk}
            id={`${id}-${at}`}
            role="treeitem"
            aria-level={depth + 1}
            aria-selected={at === selected.value}
            aria-expanded={location.sublocations > 0 ? isOpen : undefined}
            style={{ paddingLeft: `${depth * 20}px` }}
            onClick={() => {
              selected.value = at
            }}
          >
            {location.sublocations > 0 ? (
              <button
                type="button"
                class={isOpen ? 'quiet icon-only turned' : 'quiet icon-only'}
                tabIndex={-1}
                aria-label={isOpen ? t('locations.close') : t('locations.open')}
                onClick={() => setOpen(location, !isOpen)}
              >
                <Icon name="chevron" />
              </button>
            ) : (
              <span class="tree-leaf" />
            )}
            <a href={`/stock/location/${location.pk}/`} tabIndex={-1}>
              {location.name}
            </a>
            <span class="tree-more">{location.description}</span>
            {location.external && <Badge>{t('locations.external')}</Badge>}
            <span class="tree-count">{location.items > 0 ? count('locations.held', location.items) : t('locations.empty')}</span>
          </li>
        )
      })}
    </ul>
  )
}
