import facts from 'facts:/api/part/'
import { useSignal } from '@preact/signals'
import { change, Refusal, remove } from '../../kit/api.ts'
import { Attachments } from '../../kit/attachments.tsx'
import { Confirm } from '../../kit/confirm.tsx'
import { useRead } from '../../kit/data.ts'
import { Edit } from '../../kit/edit.tsx'
import { Figures } from '../../kit/figures.tsx'
import { Icon } from '../../kit/icon.tsx'
import { useCommands } from '../../kit/keys.ts'
import { date, label, quantity, t } from '../../kit/language.ts'
import { Menu } from '../../kit/menu.tsx'
import { Facts, Page, type PageProperties, Panel } from '../../kit/page.tsx'
import { PrintLabels } from '../../kit/print-labels.tsx'
import { Refused } from '../../kit/refused.tsx'
import { navigate } from '../../kit/router.ts'
import { may } from '../../kit/session.ts'
import { warn } from '../../kit/toast.tsx'
import { NewStock } from '../stock/new-stock.tsx'
import { ELSEWHERE, FIELDS, isLow, Kinds, type Part, stockOf } from './part-facts.tsx'
import { PricesPanel, rangeOf, StockOverTime } from './part-history.tsx'
import { BomPanel, ParametersPanel, StockPanel, SuppliersPanel, UsesPanel } from './part-panels.tsx'
import { type ShownPart, urlsOf } from './part-reading.ts'
import { Picture } from './picture.tsx'

type Doing = 'parameter' | 'edit' | 'notes' | 'stock' | 'labels' | 'delete'

/** `/part/:pk/`: one part. */
export function PartPage({ at }: PageProperties) {
  const url = `/api/part/${at.pk}/`
  const { data, refusal, again } = useRead<ShownPart>(urlsOf(at.pk as string))
  const doing = useSignal<Doing | undefined>(undefined)
  const start = (what: Doing | undefined) => () => {
    doing.value = what
  }
  const close = start(undefined)
  const saved = () => {
    close()
    again()
  }
  const mayChange = may('change', 'part')
  const mayAddStock = may('add', 'stock') && data?.part.body.virtual === false
  useCommands(
    () => [
      ...(mayAddStock ? [{ keys: 'a', label: () => t('stock.new'), run: start('stock') }] : []),
      ...(mayChange ? [{ keys: 'e', label: () => t('edit'), run: start('edit') }] : []),
      ...(mayChange ? [{ keys: 'o', label: () => t('parts.edit-notes'), run: start('notes') }] : []),
      { keys: 'p', label: () => t('labels.title'), run: start('labels') },
    ],
    [mayAddStock, mayChange],
  )
  const part = data?.part.body
  const crumbs = [
    { text: t('parts.title'), to: '/part/' },
    ...(part?.category_path ?? []).map(({ pk, name }) => ({ text: name, to: `/part/category/${pk}/` })),
  ]
  if (refusal) return <Refused refusal={refusal} crumbs={crumbs} />
  if (!data || !part) return null

  const follow = async () => {
    try {
      await change<Part>(url, { starred: !part.starred }, undefined)
      again()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      warn(error.message)
    }
  }
  const actions = (
    <>
      {mayAddStock && (
        <button type="button" class="primary" onClick={start('stock')}>
          <Icon name="plus" />
          {t('stock.new')}
        </button>
      )}
      {mayChange && (
        <button type="button" onClick={start('edit')}>
          <Icon name="edit" />
          {t('edit')}
        </button>
      )}
      <Menu label={t('more')} icon="menu">
        <button type="button" class="quiet" onClick={start('labels')}>
          <Icon name="print" />
          {t('labels.title')}
        </button>
        {mayChange && (
          <button type="button" class="quiet" onClick={start('notes')}>
            <Icon name="edit" />
            {t('parts.edit-notes')}
          </button>
        )}
        {mayChange && (
          <button type="button" class="quiet" onClick={start('parameter')}>
            <Icon name="plus" />
            {t('parts.add-parameter')}
          </button>
        )}
        {mayChange && (
          <button type="button" class="quiet" onClick={follow}>
            <Icon name="bell" />
            {part.starred ? t('parts.unfollow') : t('parts.follow')}
          </button>
        )}
        {may('delete', 'part') && (
          <button type="button" class="quiet" onClick={start('delete')}>
            <Icon name="close" />
            {t('delete')}
          </button>
        )}
      </Menu>
    </>
  )
  const units = part.units
  const allocated = part.allocated_to_build_orders + part.allocated_to_sales_orders
  const required = part.required_for_build_orders + part.required_for_sales_orders
  const { pricing } = data
  const what = doing.value
  return (
    <Page title={part.full_name} crumbs={crumbs} state={<Kinds part={part} />} actions={actions}>
      <div class="part-head">
        <Picture url={url} image={part.image} name={part.full_name} mayChange={mayChange} onChanged={again} />
        <div>
          {part.description && <p class="part-text">{part.description}</p>}
          <Figures
            rows={[
              [t('parts.in-stock'), !part.virtual && stockOf(part), isLow(part) ? 'bad' : undefined],
              [t('parts.free'), allocated > 0 && quantity(part.unallocated_stock, units)],
              [t('parts.at-least'), part.minimum_stock > 0 && quantity(part.minimum_stock, units)],
              [t('parts.on-order'), part.ordering > 0 && quantity(part.ordering, units)],
              [t('parts.in-production'), part.building > 0 && quantity(part.building, units)],
              [t('parts.allocated'), allocated > 0 && quantity(allocated, units)],
              [t('parts.required'), required > 0 && quantity(required, units)],
              [t('parts.price'), rangeOf(pricing.body.overall_min, pricing.body.overall_max, pricing.body.currency)],
            ]}
          />
        </div>
      </div>
      <div class="columns">
        <div class="stack">
          {what === 'edit' ? (
            <Panel title={t('edit')}>
              <Edit
                facts={facts}
                url={url}
                start={data.part}
                names={FIELDS}
                without={ELSEWHERE}
                onSaved={saved}
                onCancel={close}
              />
            </Panel>
          ) : (
            <PartFacts part={part} />
          )}
          {data.stock && !part.virtual && (
            <StockPanel part={part} items={data.stock.body.results} total={data.stock.body.count} />
          )}
          <SuppliersPanel
            part={part}
            parts={data.suppliers?.body.results ?? []}
            breaks={data.breaks?.body.results ?? []}
            mayAdd={may('add', 'part', 'purchase_order')}
          />
          <UsesPanel lines={data.uses.body.results} total={data.uses.body.count} />
        </div>
        <div class="stack">
          {(part.assembly || data.bom.body.results.length > 0) && (
            <BomPanel part={part} lines={data.bom.body.results} mayChange={mayChange} again={again} />
          )}
          <StockOverTime part={part} stocktakes={data.stocktakes?.body.results ?? []} scheduled={data.scheduled.body} />
          <PricesPanel pricing={pricing.body} ordered={data.ordered?.body.results ?? []} />
          <ParametersPanel
            part={part}
            parameters={data.parameters.body.results}
            mayChange={mayChange}
            again={again}
            isAdding={what === 'parameter'}
            onAdd={start('parameter')}
            onClose={close}
          />
          <Attachments
            url="/api/part/attachment/"
            of={{ part: part.pk }}
            mayAdd={may('add', 'part')}
            mayDelete={may('delete', 'part')}
          />
          {(part.notes || what === 'notes') && (
            <Panel
              title={label('notes')}
              actions={
                mayChange &&
                what !== 'notes' && (
                  <button type="button" class="quiet" onClick={start('notes')}>
                    <Icon name="edit" />
                    {t('edit')}
                  </button>
                )
              }
            >
              {what === 'notes' ? (
                <Edit
                  facts={facts}
                  url={url}
                  start={data.part}
                  names={['notes']}
                  without="rest"
                  onSaved={saved}
                  onCancel={close}
                />
              ) : (
                <p class="notes">{part.notes}</p>
              )}
            </Panel>
          )}
        </div>
      </div>
      {what === 'stock' && (
        <NewStock part={part.pk} location={part.default_location ?? undefined} onMade={again} onClose={close} />
      )}
      {what === 'labels' && <PrintLabels kind="part" items={[part.pk]} onClose={close} />}
      {what === 'delete' && (
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
    </Page>
  )
}

/** What is known of it beside its figures; nothing where nothing is. */
function PartFacts({ part }: { part: Part }) {
  const rows: [string, preact.ComponentChildren][] = [
    [label('IPN'), part.IPN],
    [label('revision'), part.revision],
    [
      label('category'),
      part.category_detail && <a href={`/part/category/${part.category}/`}>{part.category_detail.pathstring}</a>,
    ],
    [label('variant_of'), part.variant_of !== null && <a href={`/part/${part.variant_of}/`}>{t('parts.variant')}</a>],
    [label('units'), part.units],
    [label('keywords'), part.keywords],
    [label('default_expiry'), part.default_expiry > 0 && t('parts.days', { count: part.default_expiry })],
    [label('link'), part.link && <a href={part.link}>{part.link}</a>],
    [label('tags'), part.tags.join(', ')],
    [label('last_stocktake'), date(part.last_stocktake)],
    [label('creation_date'), date(part.creation_date)],
  ]
  return (
    <Panel>
      <Facts rows={rows} />
    </Panel>
  )
}
