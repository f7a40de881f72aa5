import metadata from 'metadata:/api/stock/location/'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { PrintLabels } from '../../kit/files/print-labels.tsx'
import { Confirm } from '../../kit/form/confirm.tsx'
import { Edit } from '../../kit/form/edit.tsx'
import { renderTagLinks } from '../../kit/form/tags.tsx'
import { count, formatNumber, t } from '../../kit/language/language.ts'
import { navigate, readQuery, setQuery } from '../../kit/navigation/router.ts'
import { useActions } from '../../kit/page/actions.tsx'
import { useRead } from '../../kit/page/data.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Badge, Empty, Page, type PageProperties } from '../../kit/page/page.tsx'
import { type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { remove } from '../../kit/service/saves.ts'
import { hasPermission } from '../../kit/service/session.ts'
import { Dialog } from '../../kit/window/dialog.tsx'
import { createImportAction } from '../import/import-menu.tsx'
import { NewStock } from '../stock/new-stock.tsx'
import { getFirstStockUrl, STOCK_COLUMNS, StockPage } from '../stock/stock.tsx'
import type { StockItem } from '../stock/stock-details.tsx'
import { EXCLUDED_FIELDS, FIELDS, type Location } from './location-details.ts'
import { LocationIcon } from './location-icon.tsx'
import { NewLocation } from './new-location.tsx'

const FILTERS = ['in_stock', 'status', 'category', 'expired', 'batch']

/** Maximum number of child locations that are shown; all of them are in the table of locations. */
const MAX_ROWS = 60

type OpenDialog = 'edit' | 'labels' | 'new' | 'stock' | 'delete'

/** `/stock/location/:pk/`: a location with its child locations and its stock. */
export function LocationPage({ params }: PageProperties) {
  const url = `/api/stock/location/${params.pk}/`
  const listOptions = {
    fixed: { location: params.pk ?? '', ...(readQuery('cascade') === 'false' ? { cascade: 'false' } : {}) },
    filters: FILTERS,
  }
  // the URL as the page was opened: the table itself loads later changes
  const firstUrl = useMemo(() => getFirstStockUrl(listOptions), [params.pk])
  const { data, error, reload } = useRead<{ location: Location; below: ListPage<Location>; stock: ListPage<StockItem> }>({
    // first, as its stock cannot be read if the location does not exist
    location: withQuery(url, { path_detail: true }),
    stock: firstUrl,
    below: withQuery('/api/stock/location/', { parent: params.pk, cascade: false, ordering: 'name', limit: MAX_ROWS }),
  })
  const dialog = useSignal<OpenDialog | undefined>(undefined)
  const show = (openDialog: OpenDialog | undefined) => () => {
    dialog.value = openDialog
  }
  const close = show(undefined)
  const canCount = hasPermission('add', 'stock')
  const canChange = hasPermission('change', 'stock_location')
  const canAdd = hasPermission('add', 'stock_location')
  const isStructural = data?.location.body.structural ?? false
  const actions = useActions(
    data
      ? [
          canCount && { title: t('count.here'), keys: 'k', icon: 'count', run: () => navigate(`/stock/count/${params.pk}/`) },
          canCount && !isStructural && { title: t('stock.new'), keys: 'n', icon: 'plus', run: show('stock') },
          canCount && !isStructural && createImportAction('stockitem', { location: params.pk ?? '' }),
          canAdd && { title: t('locations.new-child'), keys: 'o', icon: 'place', run: show('new') },
          canChange && { title: t('locations.edit'), keys: 'e', icon: 'edit', run: show('edit') },
          { title: t('locations.print'), keys: 'Shift+P', icon: 'print', run: show('labels') },
          hasPermission('delete', 'stock_location') && {
            title: t('delete'),
            keys: 'Shift+D',
            icon: 'trash',
            run: show('delete'),
          },
        ]
      : [],
  )
  const crumbs = [
    { text: t('locations.title'), to: '/stock/location/' },
    ...(data?.location.body.path ?? [])
      .filter(({ pk }) => pk !== Number(params.pk))
      .map(({ pk, name }) => ({ text: name, to: `/stock/location/${pk}/` })),
  ]
  if (error) return <LoadError error={error} crumbs={crumbs} />
  if (!data) return null
  const location = data.location.body
  const childLocations = data.below.body.results
  const isWithoutChildren = readQuery('cascade') === 'false'
  const state = (
    <span class="badges">
      {location.location_type_detail && (
        <Badge>
          <LocationIcon icon={location.location_type_detail.icon} />
          {location.location_type_detail.name}
        </Badge>
      )}
      {location.structural && <Badge>{t('locations.structural')}</Badge>}
      {location.external && <Badge tone="warn">{t('locations.external')}</Badge>}
      {renderTagLinks(location.tags, '/stock/location/?view=table&tags__name=')}
    </span>
  )
  return (
    <Page title={location.name} crumbs={crumbs} state={state} actions={actions} isFull>
      {location.description && <p class="page-text">{location.description}</p>}
      {childLocations.length > 0 && (
        <nav class="locations" aria-label={t('locations.children')}>
          {childLocations.map(({ pk, name, items }) => (
            <a key={pk} href={`/stock/location/${pk}/`}>
              <Icon name="place" />
              {name}
              {items > 0 && <small>{formatNumber(items)}</small>}
            </a>
          ))}
          {data.below.body.count > childLocations.length && (
            <a href={`/stock/location/?view=table&parent=${params.pk}`}>
              {count('locations.all-descendants', data.below.body.count)}
            </a>
          )}
          <label class="checkbox-line">
            <input
              type="checkbox"
              checked={!isWithoutChildren}
              onChange={(event) => setQuery({ cascade: event.currentTarget.checked ? undefined : 'false', at: undefined })}
            />
            {t('locations.with-children')}
          </label>
        </nav>
      )}
      <StockPage
        key={location.pk}
        {...listOptions}
        fixed={{ ...listOptions.fixed, location: String(location.pk) }}
        first={{ url: firstUrl, page: data.stock.body }}
        columns={
          childLocations.length > 0 && !isWithoutChildren
            ? STOCK_COLUMNS
            : STOCK_COLUMNS.filter(({ name }) => name !== 'location')
        }
        empty={<Empty icon="box" title={t('locations.no-stock')} />}
      />
      {dialog.value === 'new' && <NewLocation parent={location.pk} onClose={close} />}
      {dialog.value === 'labels' && <PrintLabels kind="location" items={[location.pk]} onClose={close} />}
      {dialog.value === 'stock' && <NewStock location={location.pk} onClose={close} />}
      {dialog.value === 'edit' && (
        <Dialog title={t('locations.edit')} onClose={close}>
          <Edit
            metadata={metadata}
            url={url}
            start={data.location}
            names={FIELDS}
            without={EXCLUDED_FIELDS}
            onSaved={() => {
              close()
              reload()
            }}
            onCancel={close}
          />
        </Dialog>
      )}
      {dialog.value === 'delete' && (
        <Confirm
          title={t('locations.delete', { name: location.name })}
          button={t('delete')}
          onConfirm={async () => {
            await remove(url, data.location.etag)
            navigate(location.parent === null ? '/stock/location/' : `/stock/location/${location.parent}/`, { replace: true })
          }}
          onClose={close}
        >
          <p>{t('locations.delete-text')}</p>
        </Confirm>
      )}
    </Page>
  )
}
