import metadata from 'metadata:/api/stock/location/'
import { useSignal } from '@preact/signals'
import { useEffect, useId, useMemo, useRef } from 'preact/hooks'
import { PrintLabels } from '../../kit/files/print-labels.tsx'
import { count, formatNumber, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { navigate, readQuery, setQuery } from '../../kit/navigation/router.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Badge, Empty, Page } from '../../kit/page/page.tsx'
import { hasPermission } from '../../kit/service/session.ts'
import type { Column } from '../../kit/table/column.ts'
import { Table } from '../../kit/table/table.tsx'
import { ImportMenu } from '../import/import-menu.tsx'
import type { Location } from './location-details.ts'
import { createLocationTree, listVisibleLines, TOP_LEVEL } from './location-tree.ts'
import { NewLocation } from './new-location.tsx'

const columns: readonly Column<Location>[] = [
  {
    name: 'pathstring',
    title: () => t('locations.location'),
    cell: ({ pk, pathstring }) => <a href={`/stock/location/${pk}/`}>{pathstring}</a>,
  },
  { name: 'description', order: null, isWide: true, cell: ({ description }) => description },
  { name: 'items', title: () => t('locations.items'), width: '8rem', align: 'end', cell: ({ items }) => formatNumber(items) },
]

/** `/stock/location/`: the tree of locations with the number of their stock items; search results are in a table. */
export function LocationsPage() {
  const isCreating = useSignal(false)
  const canAdd = hasPermission('add', 'stock_location')
  const openForm = () => {
    isCreating.value = true
  }
  useCommands(() => (canAdd ? [{ keys: 'n', label: () => t('locations.new'), run: openForm }] : []), [canAdd])
  const button = canAdd && (
    <button type="button" class="primary" onClick={openForm}>
      <Icon name="plus" />
      {t('locations.new')}
    </button>
  )
  const labelKeys = useSignal<readonly number[] | undefined>(undefined)
  const printLabels = (locations: readonly Location[]) => {
    labelKeys.value = locations.map(({ pk }) => pk)
  }
  const isTable = readQuery('view') === 'table'
  const actions = (
    <>
      <button type="button" onClick={() => setQuery({ view: isTable ? undefined : 'table', search: undefined, at: undefined })}>
        {isTable ? t('locations.as-tree') : t('locations.as-table')}
      </button>
      {button}
      <ImportMenu types={['stocklocation']} />
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
          filters={['parent', 'structural', 'external', 'location_type', 'tags__name', 'imported']}
          rareFilters={['tags__name', 'imported']}
          to={({ pk }) => `/stock/location/${pk}/`}
          title={t('locations.title')}
          actions={[{ keys: 'Shift+P', label: () => t('labels.title'), icon: 'print', run: printLabels }]}
          empty={empty}
        />
      ) : (
        <Tree empty={empty} />
      )}
      {labelKeys.value && (
        <PrintLabels
          kind="location"
          items={labelKeys.value}
          onClose={() => {
            labelKeys.value = undefined
          }}
        />
      )}
      {isCreating.value && (
        <NewLocation
          onClose={() => {
            isCreating.value = false
          }}
        />
      )}
    </Page>
  )
}

/** The tree of locations; the URL holds the expanded ones. Shortcuts: up and down move, right expands, left collapses, Enter opens the page. */
function Tree({ empty }: { empty: preact.ComponentChildren }) {
  const tree = useMemo(createLocationTree, [])
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const selectedIndex = useSignal(0)
  const expandedKeys = new Set((readQuery('open') ?? '').split('.').filter(Boolean).map(Number))
  useEffect(() => tree.ensureLoaded([TOP_LEVEL, ...expandedKeys]), [readQuery('open')])
  const childrenByParent = tree.childrenByParent.value
  const lines = listVisibleLines(childrenByParent, expandedKeys)
  const setExpanded = ({ pk }: Location, isExpanded: boolean) => {
    if (isExpanded) expandedKeys.add(pk)
    else expandedKeys.delete(pk)
    setQuery({ open: [...expandedKeys].join('.') }, { replace: true })
  }
  const select = (index: number) => {
    selectedIndex.value = Math.min(Math.max(0, index), lines.length - 1)
    list.current?.children[selectedIndex.value]?.scrollIntoView({ block: 'nearest' })
  }
  const latest = useRef({ lines, select, setOpen: setExpanded })
  latest.current = { lines, select, setOpen: setExpanded }
  const getSelectedLine = () => latest.current.lines[selectedIndex.value]
  useCommands(() => [
    { keys: 'ArrowDown', label: () => t('key.down'), run: () => latest.current.select(selectedIndex.value + 1), isLocal: true },
    { keys: 'ArrowUp', label: () => t('key.up'), run: () => latest.current.select(selectedIndex.value - 1), isLocal: true },
    { keys: 'ArrowRight', label: () => t('locations.open'), run: () => expandOrCollapse(true), isLocal: true },
    { keys: 'ArrowLeft', label: () => t('locations.close'), run: () => expandOrCollapse(false), isLocal: true },
    {
      keys: 'Enter',
      label: () => t('key.open'),
      run: () => {
        const selectedLine = getSelectedLine()
        if (selectedLine?.location) navigate(`/stock/location/${selectedLine.location.pk}/`)
        else if (selectedLine) tree.loadMore(selectedLine.parentKey)
      },
      isLocal: true,
    },
  ])
  /** Expands or collapses the selected location. If it already is, moves to its first child or its parent. */
  function expandOrCollapse(isExpanded: boolean): void {
    const selectedLine = getSelectedLine()
    if (!selectedLine) return
    const { location, depth } = selectedLine
    if (isExpanded && !location?.sublocations) return
    if (location && selectedLine.isExpanded !== isExpanded && location.sublocations > 0)
      latest.current.setOpen(location, isExpanded)
    else if (isExpanded) latest.current.select(selectedIndex.value + 1)
    else
      latest.current.select(
        latest.current.lines.findLastIndex((visibleLine, index) => index < selectedIndex.value && visibleLine.depth < depth),
      )
  }

  if (tree.error.value) return <Empty icon="warning" title={tree.error.value.message} />
  if (!childrenByParent.has(TOP_LEVEL)) return null
  if (lines.length === 0) return <>{empty}</>
  return (
    <ul
      ref={list}
      class="tree panel"
      role="tree"
      aria-label={t('locations.title')}
      tabIndex={0}
      aria-activedescendant={`${id}-${selectedIndex.value}`}
    >
      {lines.map((visibleLine, index) => {
        const { location, depth, isExpanded } = visibleLine
        if (!location)
          return (
            <li
              key={`more ${visibleLine.parentKey}`}
              id={`${id}-${index}`}
              role="treeitem"
              aria-level={depth + 1}
              aria-selected={index === selectedIndex.value}
              style={{ paddingLeft: `${depth * 20}px` }}
            >
              <span class="tree-leaf" />
              <button
                type="button"
                class="quiet"
                tabIndex={-1}
                onClick={() => {
                  selectedIndex.value = index
                  tree.loadMore(visibleLine.parentKey)
                }}
              >
                {count('locations.more', visibleLine.remaining)}
              </button>
            </li>
          )
        return (
          <li
            key={location.pk}
            id={`${id}-${index}`}
            role="treeitem"
            aria-level={depth + 1}
            aria-selected={index === selectedIndex.value}
            aria-expanded={location.sublocations > 0 ? isExpanded : undefined}
            style={{ paddingLeft: `${depth * 20}px` }}
            onClick={() => {
              selectedIndex.value = index
            }}
          >
            {location.sublocations > 0 ? (
              <button
                type="button"
                class={isExpanded ? 'quiet icon-only turned' : 'quiet icon-only'}
                tabIndex={-1}
                aria-label={isExpanded ? t('locations.close') : t('locations.open')}
                onClick={() => setExpanded(location, !isExpanded)}
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
            <span class="tree-count">
              {location.items > 0 ? count('locations.item-count', location.items) : t('locations.empty')}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
