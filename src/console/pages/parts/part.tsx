import metadata from 'metadata:/api/part/'
import { useSignal } from '@preact/signals'
import { Attachments } from '../../kit/files/attachments.tsx'
import { PrintLabels } from '../../kit/files/print-labels.tsx'
import { Confirm } from '../../kit/form/confirm.tsx'
import { Edit } from '../../kit/form/edit.tsx'
import { renderTagLinks } from '../../kit/form/tags.tsx'
import { formatDate, formatMoney, formatPriceRange, formatWithUnit, label, t } from '../../kit/language/language.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { useActions } from '../../kit/page/actions.tsx'
import { useRead } from '../../kit/page/data.ts'
import { Figures } from '../../kit/page/figures.tsx'
import { Icon } from '../../kit/page/icon.tsx'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Notes } from '../../kit/page/notes.tsx'
import { DescriptionList, type PageProperties, Panel } from '../../kit/page/page.tsx'
import { attempt } from '../../kit/page/toast.tsx'
import { change } from '../../kit/service/api.ts'
import { isFieldVisible } from '../../kit/service/features.ts'
import { remove } from '../../kit/service/saves.ts'
import { hasPermission } from '../../kit/service/session.ts'
import { NewBuild } from '../builds/new-build.tsx'
import { AvailableQuantity } from '../stock/available-quantity.tsx'
import { NewStock } from '../stock/new-stock.tsx'
import { CopyPart } from './copy-part.tsx'
import { ParametersPanel } from './parameters.tsx'
import { EXCLUDED_FIELDS, FIELDS, formatStock, isLow, type Part } from './part-details.tsx'
import { createCrumbs, PartFrame } from './part-frame.tsx'
import { StockChart } from './part-history.tsx'
import { StockPanel, SuppliersPanel } from './part-panels.tsx'
import { getPartUrls, type PartPageData } from './part-requests.ts'
import { PartStockHistory } from './part-stock-history.tsx'
import { TestsPanel } from './part-tests.tsx'
import { Picture } from './picture.tsx'
import { RelatedPanel } from './related.tsx'
import { NewStocktake, Stocktakes } from './stocktakes.tsx'

type OpenDialog =
  | 'parameter'
  | 'related'
  | 'edit'
  | 'notes'
  | 'stock'
  | 'stocktake'
  | 'labels'
  | 'build'
  | 'copy'
  | 'variant'
  | 'delete'

/** Maximum number of actions with a button; the others are in the menu. */
const MAX_BUTTONS = 3

/** `/part/:pk/`: one part. */
export function PartPage({ params }: PageProperties) {
  const url = `/api/part/${params.pk}/`
  const { data, error, reload } = useRead<PartPageData>(getPartUrls(params.pk as string))
  const dialog = useSignal<OpenDialog | undefined>(undefined)
  const show = (openDialog: OpenDialog | undefined) => () => {
    dialog.value = openDialog
  }
  const close = show(undefined)
  const closeAndReload = () => {
    close()
    reload()
  }
  const canChange = hasPermission('change', 'part')
  const loadedPart = data?.part.body
  const canStocktake = hasPermission('add', 'stocktake') && loadedPart?.virtual === false
  const canDelete = hasPermission('delete', 'part')
  const canCopy = hasPermission('add', 'part')
  /** Returns an action that saves fields without a form. */
  const saveFields = (values: Partial<Part>) => async () => {
    await attempt(() => change<Part>(url, values, undefined))
    reload()
  }
  const actions = useActions(
    loadedPart
      ? [
          hasPermission('add', 'stock') &&
            !loadedPart.virtual && { title: t('stock.new'), icon: 'plus', keys: 'a', run: show('stock') },
          canChange && { title: t('edit'), icon: 'edit', keys: 'e', run: show('edit') },
          hasPermission('add', 'build') &&
            loadedPart.assembly &&
            loadedPart.active &&
            !loadedPart.virtual && { title: t('builds.create'), icon: 'wrench', keys: 'm', run: show('build') },
          { title: t('labels.title'), icon: 'print', keys: 'p', run: show('labels') },
          canChange && { title: t('parts.add-parameter'), icon: 'plus', keys: 'y', run: show('parameter') },
          canChange && { title: t('parts.edit-notes'), icon: 'edit', keys: 'o', run: show('notes') },
          canStocktake && { title: t('parts.new-stocktake'), icon: 'count', keys: 'k', run: show('stocktake') },
          canCopy && { title: t('parts.add-related'), icon: 'link', keys: 'r', run: show('related') },
          canCopy && { title: t('parts.copy'), icon: 'file', keys: 'd', run: show('copy') },
          canCopy && loadedPart.is_template && { title: t('parts.new-variant'), icon: 'split', keys: 'v', run: show('variant') },
          canChange && {
            title: t(loadedPart.starred ? 'parts.unsubscribe' : 'parts.subscribe'),
            icon: 'bell',
            run: saveFields({ starred: !loadedPart.starred }),
          },
          canChange && !loadedPart.active && { title: t('parts.make-active'), icon: 'undo', run: saveFields({ active: true }) },
          canDelete && { title: t('delete'), icon: 'trash', run: show('delete') },
        ]
      : [],
    MAX_BUTTONS,
  )
  const part = data?.part.body
  if (error) return <LoadError error={error} crumbs={createCrumbs(part)} />
  if (!data || !part) return null
  const units = part.units
  const allocated = part.allocated_to_build_orders + part.allocated_to_sales_orders + part.allocated_to_transfer_orders
  const incoming = part.incoming ?? 0
  const required = part.required_for_build_orders + part.required_for_sales_orders
  const { pricing } = data
  const hasPrice = pricing.body.overall_min !== null || pricing.body.overall_max !== null
  const openDialog = dialog.value
  return (
    <PartFrame data={data} tab="" actions={actions}>
      <div class="part-head">
        <Picture url={url} image={part.image} name={part.full_name} canChange={canChange} onChanged={reload} />
        <div>
          {part.description && <p class="part-text">{part.description}</p>}
          <Figures
            rows={[
              [
                t('parts.in-stock'),
                !part.virtual && (
                  <a key="stock" href={`/stock/?in_stock=true&part=${part.pk}`}>
                    {formatStock(part)}
                  </a>
                ),
                isLow(part) ? 'bad' : undefined,
              ],
              [
                t('parts.available'),
                (allocated > 0 || (part.flawed_stock ?? []).length > 0) && (
                  <AvailableQuantity key="free" units={units} flaws={part.flawed_stock}>
                    {formatWithUnit(part.unallocated_stock, units)}
                  </AvailableQuantity>
                ),
              ],
              [t('parts.minimum'), part.minimum_stock > 0 && formatWithUnit(part.minimum_stock, units)],
              [t('parts.on-order'), incoming > 0 && formatWithUnit(incoming, units)],
              [t('parts.in-production'), part.building > 0 && formatWithUnit(part.building, units)],
              [t('parts.allocated'), allocated > 0 && formatWithUnit(allocated, units)],
              [t('parts.required'), required > 0 && formatWithUnit(required, units)],
              [
                t('parts.price'),
                hasPrice && (
                  <a key="price" href={`/part/${part.pk}/prices/`}>
                    {formatPriceRange(pricing.body.overall_min, pricing.body.overall_max, pricing.body.currency, formatMoney)}
                  </a>
                ),
              ],
            ]}
          />
        </div>
      </div>
      <div class="stack">
        <div class="columns">
          <div class="stack">
            {openDialog === 'edit' ? (
              <Panel title={t('edit')}>
                <Edit
                  metadata={metadata}
                  url={url}
                  start={data.part}
                  names={FIELDS}
                  without={EXCLUDED_FIELDS}
                  onSaved={closeAndReload}
                  onCancel={close}
                />
              </Panel>
            ) : (
              <PartDetails part={part} />
            )}
            {data.stock && !part.virtual && (
              <StockPanel part={part} items={data.stock.body.results} total={data.stock.body.count} />
            )}
            <SuppliersPanel
              part={part}
              parts={data.suppliers?.body.results ?? []}
              total={data.suppliers?.body.count ?? 0}
              breaks={data.breaks?.body.results ?? []}
              canAdd={hasPermission('add', 'part', 'purchase_order')}
            />
          </div>
          <div class="stack">
            <StockChart
              part={part}
              stocktakes={data.stocktakes?.body.results ?? []}
              scheduled={data.scheduled.body}
              actions={
                canStocktake && (
                  <button type="button" class="quiet" onClick={show('stocktake')}>
                    <Icon name="count" />
                    {t('parts.new-stocktake')}
                  </button>
                )
              }
            >
              <Stocktakes
                part={part}
                stocktakes={data.stocktakes?.body.results ?? []}
                canChange={hasPermission('change', 'stocktake')}
                reload={reload}
              />
            </StockChart>
            <ParametersPanel
              part={part.pk}
              parameters={data.parameters.body.results}
              canChange={canChange}
              reload={reload}
              isAdding={openDialog === 'parameter'}
              onAdd={show('parameter')}
              onClose={close}
            />
            <RelatedPanel
              part={part.pk}
              related={data.related.body.results}
              total={data.related.body.count}
              canAdd={hasPermission('add', 'part')}
              canDelete={hasPermission('delete', 'part')}
              isAdding={openDialog === 'related'}
              reload={reload}
              onClose={close}
            />
            {hasPermission('view', 'stock') && !part.virtual && (
              <PartStockHistory key={part.pk} part={part.pk} units={part.units} />
            )}
            <Attachments
              model="part"
              pk={part.pk}
              canAdd={hasPermission('add', 'part')}
              canDelete={hasPermission('delete', 'part')}
            />
            {(part.notes || openDialog === 'notes') && (
              <Panel
                title={label('notes')}
                actions={
                  canChange &&
                  openDialog !== 'notes' && (
                    <button type="button" class="quiet" onClick={show('notes')}>
                      <Icon name="edit" />
                      {t('edit')}
                    </button>
                  )
                }
              >
                {openDialog === 'notes' ? (
                  <Edit
                    metadata={metadata}
                    url={url}
                    start={data.part}
                    names={['notes']}
                    without="rest"
                    onSaved={closeAndReload}
                    onCancel={close}
                  />
                ) : (
                  <Notes text={part.notes} />
                )}
              </Panel>
            )}
          </div>
        </div>
        <TestsPanel
          part={part}
          tests={data.tests.body.results}
          rights={{ add: hasPermission('add', 'part'), change: canChange, delete: hasPermission('delete', 'part') }}
          reload={reload}
        />
      </div>
      {openDialog === 'stock' && (
        <NewStock part={part.pk} location={part.default_location ?? undefined} onCreated={reload} onClose={close} />
      )}
      {openDialog === 'build' && <NewBuild initialValues={{ part: part.pk }} onClose={close} />}
      {(openDialog === 'copy' || openDialog === 'variant') && (
        <CopyPart part={part} isVariant={openDialog === 'variant'} onClose={close} />
      )}
      {openDialog === 'stocktake' && <NewStocktake part={part} onDone={reload} onClose={close} />}
      {openDialog === 'labels' && <PrintLabels kind="part" items={[part.pk]} onClose={close} />}
      {openDialog === 'delete' && part.active && canChange && (
        <Confirm
          title={t('parts.deactivate-ask', { name: part.full_name })}
          button={t('parts.make-inactive')}
          isHarmless
          onConfirm={async () => {
            await change<Part>(url, { active: false }, undefined)
            reload()
          }}
          onClose={close}
        >
          <p>{t('parts.deactivate-text')}</p>
        </Confirm>
      )}
      {openDialog === 'delete' && !(part.active && canChange) && (
        <Confirm
          title={t('stock.delete', { item: part.full_name })}
          button={t('delete')}
          onConfirm={async () => {
            await remove(url, data.part.etag)
            navigate('/part/', { replace: true })
          }}
          onClose={close}
        >
          <p>{t('parts.delete-text')}</p>
        </Confirm>
      )}
    </PartFrame>
  )
}

/** The details of a part other than its key figures; nothing if there are none. */
function PartDetails({ part }: { part: Part }) {
  const rows: [string, preact.ComponentChildren][] = [
    [label('IPN'), part.IPN],
    [label('revision'), isFieldVisible('revision') && part.revision],
    [
      label('category'),
      part.category_detail && <a href={`/part/category/${part.category}/`}>{part.category_detail.pathstring}</a>,
    ],
    [label('variant_of'), part.variant_of !== null && <a href={`/part/${part.variant_of}/`}>{t('parts.variant')}</a>],
    [label('units'), part.units],
    [label('keywords'), part.keywords],
    [label('tags'), renderTagLinks(part.tags, '/part/?tags_name=')],
    [
      label('default_expiry'),
      isFieldVisible('default_expiry') && part.default_expiry > 0 && t('parts.days', { count: part.default_expiry }),
    ],
    [label('link'), part.link && <a href={part.link}>{part.link}</a>],
    [label('last_stocktake'), formatDate(part.last_stocktake)],
    [label('creation_date'), formatDate(part.creation_date)],
  ]
  return (
    <Panel>
      <DescriptionList rows={rows} />
    </Panel>
  )
}
