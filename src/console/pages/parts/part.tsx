import metadata from 'metadata:/api/part/'
import { useSignal } from '@preact/signals'
import { Attachments } from '../../kit/files/attachments.tsx'
import { PrintLabels } from '../../kit/files/print-labels.tsx'
import { Confirm } from '../../kit/form/confirm.tsx'
import { Edit } from '../../kit/form/edit.tsx'
import { tagLinks } from '../../kit/form/tags.tsx'
import { date, label, money, quantity, t } from '../../kit/language/language.ts'
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
import { may } from '../../kit/service/session.ts'
import { NewBuild } from '../builds/new-build.tsx'
import { Free } from '../stock/free.tsx'
import { NewStock } from '../stock/new-stock.tsx'
import { CopyPart } from './copy-part.tsx'
import { ParametersPanel } from './parameters.tsx'
import { FIELDS, isLow, type Part, SERVICE_PATHS, stockOf } from './part-details.tsx'
import { crumbsOf, PartFrame } from './part-frame.tsx'
import { rangeOf, StockChart } from './part-history.tsx'
import { StockPanel, SuppliersPanel } from './part-panels.tsx'
import { type PartPageData, urlsOf } from './part-reading.ts'
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

/** Number of actions with a button; the others are in the menu. */
const BUTTONS = 3

/** `/part/:pk/`: one part. */
export function PartPage({ at }: PageProperties) {
  const url = `/api/part/${at.pk}/`
  const { data, error, reload } = useRead<PartPageData>(urlsOf(at.pk as string))
  const dialog = useSignal<OpenDialog | undefined>(undefined)
  const start = (openDialog: OpenDialog | undefined) => () => {
    dialog.value = openDialog
  }
  const close = start(undefined)
  const saved = () => {
    close()
    reload()
  }
  const mayChange = may('change', 'part')
  const loadedPart = data?.part.body
  const mayStocktake = may('add', 'stocktake') && loadedPart?.virtual === false
  const mayDelete = may('delete', 'part')
  const mayCopy = may('add', 'part')
  /** Changes fields by a single press. */
  const set = (values: Partial<Part>) => async () => {
    await attempt(() => change<Part>(url, values, undefined))
    reload()
  }
  const actions = useActions(
    loadedPart
      ? [
          may('add', 'stock') && !loadedPart.virtual && { title: t('stock.new'), icon: 'plus', keys: 'a', run: start('stock') },
          mayChange && { title: t('edit'), icon: 'edit', keys: 'e', run: start('edit') },
          may('add', 'build') &&
            loadedPart.assembly &&
            loadedPart.active &&
            !loadedPart.virtual && { title: t('builds.make'), icon: 'wrench', keys: 'm', run: start('build') },
          { title: t('labels.title'), icon: 'print', keys: 'p', run: start('labels') },
          mayChange && { title: t('parts.add-parameter'), icon: 'plus', keys: 'y', run: start('parameter') },
          mayChange && { title: t('parts.edit-notes'), icon: 'edit', keys: 'o', run: start('notes') },
          mayStocktake && { title: t('parts.new-stocktake'), icon: 'count', keys: 'k', run: start('stocktake') },
          mayCopy && { title: t('parts.add-related'), icon: 'link', keys: 'r', run: start('related') },
          mayCopy && { title: t('parts.copy'), icon: 'file', keys: 'd', run: start('copy') },
          mayCopy && loadedPart.is_template && { title: t('parts.new-variant'), icon: 'split', keys: 'v', run: start('variant') },
          mayChange && {
            title: t(loadedPart.starred ? 'parts.unfollow' : 'parts.follow'),
            icon: 'bell',
            run: set({ starred: !loadedPart.starred }),
          },
          mayChange && !loadedPart.active && { title: t('parts.use-again'), icon: 'undo', run: set({ active: true }) },
          mayDelete && { title: t('delete'), icon: 'trash', run: start('delete') },
        ]
      : [],
    BUTTONS,
  )
  const part = data?.part.body
  if (error) return <LoadError error={error} crumbs={crumbsOf(part)} />
  if (!data || !part) return null
  const units = part.units
  const allocated = part.allocated_to_build_orders + part.allocated_to_sales_orders
  const incoming = part.incoming ?? 0
  const required = part.required_for_build_orders + part.required_for_sales_orders
  const { pricing } = data
  const hasPrice = pricing.body.overall_min !== null || pricing.body.overall_max !== null
  const openDialog = dialog.value
  return (
    <PartFrame data={data} tab="" actions={actions}>
      <div class="part-head">
        <Picture url={url} image={part.image} name={part.full_name} mayChange={mayChange} onChanged={reload} />
        <div>
          {part.description && <p class="part-text">{part.description}</p>}
          <Figures
            rows={[
              [t('parts.in-stock'), !part.virtual && stockOf(part), isLow(part) ? 'bad' : undefined],
              [
                t('parts.free'),
                (allocated > 0 || (part.flawed_stock ?? []).length > 0) && (
                  <Free key="free" units={units} flaws={part.flawed_stock}>
                    {quantity(part.unallocated_stock, units)}
                  </Free>
                ),
              ],
              [t('parts.at-least'), part.minimum_stock > 0 && quantity(part.minimum_stock, units)],
              [t('parts.on-order'), incoming > 0 && quantity(incoming, units)],
              [t('parts.in-production'), part.building > 0 && quantity(part.building, units)],
              [t('parts.allocated'), allocated > 0 && quantity(allocated, units)],
              [t('parts.required'), required > 0 && quantity(required, units)],
              [
                t('parts.price'),
                hasPrice && (
                  <a key="price" href={`/part/${part.pk}/prices/`}>
                    {rangeOf(pricing.body.overall_min, pricing.body.overall_max, pricing.body.currency, money)}
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
                  without={SERVICE_PATHS}
                  onSaved={saved}
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
              mayAdd={may('add', 'part', 'purchase_order')}
            />
          </div>
          <div class="stack">
            <StockChart
              part={part}
              stocktakes={data.stocktakes?.body.results ?? []}
              scheduled={data.scheduled.body}
              actions={
                mayStocktake && (
                  <button type="button" class="quiet" onClick={start('stocktake')}>
                    <Icon name="count" />
                    {t('parts.new-stocktake')}
                  </button>
                )
              }
            >
              <Stocktakes
                part={part}
                stocktakes={data.stocktakes?.body.results ?? []}
                mayChange={may('change', 'stocktake')}
                reload={reload}
              />
            </StockChart>
            <ParametersPanel
              part={part.pk}
              parameters={data.parameters.body.results}
              mayChange={mayChange}
              reload={reload}
              isAdding={openDialog === 'parameter'}
              onAdd={start('parameter')}
              onClose={close}
            />
            <RelatedPanel
              part={part.pk}
              related={data.related.body.results}
              total={data.related.body.count}
              mayAdd={may('add', 'part')}
              mayDelete={may('delete', 'part')}
              isAdding={openDialog === 'related'}
              reload={reload}
              onClose={close}
            />
            <Attachments
              url="/api/part/attachment/"
              of={{ part: part.pk }}
              mayAdd={may('add', 'part')}
              mayDelete={may('delete', 'part')}
            />
            {(part.notes || openDialog === 'notes') && (
              <Panel
                title={label('notes')}
                actions={
                  mayChange &&
                  openDialog !== 'notes' && (
                    <button type="button" class="quiet" onClick={start('notes')}>
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
                    onSaved={saved}
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
          rights={{ add: may('add', 'part'), change: mayChange, delete: may('delete', 'part') }}
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
      {openDialog === 'delete' && part.active && mayChange && (
        <Confirm
          title={t('parts.retire', { name: part.full_name })}
          button={t('parts.make-inactive')}
          isHarmless
          onConfirm={async () => {
            await change<Part>(url, { active: false }, undefined)
            reload()
          }}
          onClose={close}
        >
          <p>{t('parts.retire-text')}</p>
        </Confirm>
      )}
      {openDialog === 'delete' && !(part.active && mayChange) && (
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

/** The details of a part besides its key figures; nothing if there are none. */
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
    [label('tags'), tagLinks(part.tags, '/part/?tags_name=')],
    [
      label('default_expiry'),
      isFieldVisible('default_expiry') && part.default_expiry > 0 && t('parts.days', { count: part.default_expiry }),
    ],
    [label('link'), part.link && <a href={part.link}>{part.link}</a>],
    [label('last_stocktake'), date(part.last_stocktake)],
    [label('creation_date'), date(part.creation_date)],
  ]
  return (
    <Panel>
      <DescriptionList rows={rows} />
    </Panel>
  )
}
