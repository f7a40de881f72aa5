import { useSignal } from '@preact/signals'
import { type Page as ListPage, withQuery } from '../../kit/api.ts'
import { Attachments } from '../../kit/attachments.tsx'
import { useRead } from '../../kit/data.ts'
import { Edit } from '../../kit/edit.tsx'
import { Figures } from '../../kit/figures.tsx'
import { Icon } from '../../kit/icon.tsx'
import { useCommands } from '../../kit/keys.ts'
import { date, label, quantity, t } from '../../kit/language.ts'
import { Menu } from '../../kit/menu.tsx'
import { Badge, Facts, Page, type PageProperties, Panel } from '../../kit/page.tsx'
import { Refused } from '../../kit/refused.tsx'
import { may } from '../../kit/session.ts'
import { ShortTable } from '../../kit/short-table.tsx'
import { Progress, StateBadge } from '../orders/order-shown.tsx'
import { markOf, quantityOf } from '../stock/stock-facts.tsx'
import { ACTIONS, type BuildAction, BuildActionDialog } from './build-actions.tsx'
import { type Build, type BuildLine, FIELDS, facts, isActive, isShort, type Output, STATES } from './build-facts.ts'

/** How many actions have a button, with what is in production and without; the others are in the menu. */
const BUTTONS = { with: 3, without: 2 }

/** `/build/:pk/`: one build order: what it makes, what it needs, and what is put by for it. */
export function BuildPage({ at }: PageProperties) {
  const url = `/api/build/${at.pk}/`
  const { data, refusal, again } = useRead<{ build: Build; lines: ListPage<BuildLine>; outputs?: ListPage<Output> }>({
    build: withQuery(url, { part_detail: true }),
    lines: withQuery('/api/build/line/', { build: at.pk, limit: 500 }),
    ...(may('view', 'stock')
      ? { outputs: withQuery('/api/stock/', { build: at.pk, is_building: true, part_detail: true, limit: 200 }) }
      : {}),
  })
  const doing = useSignal<BuildAction | 'edit' | undefined>(undefined)
  const start = (what: BuildAction | 'edit' | undefined) => () => {
    doing.value = what
  }
  const close = start(undefined)
  const done = () => {
    close()
    again()
  }
  const build = data?.build.body
  const outputs = data?.outputs?.body.results ?? []
  const offers =
    build && isActive(build) && may('add', 'build')
      ? ACTIONS.filter(({ action }) => action !== 'complete' || outputs.length > 0)
      : []
  const mayChange = may('change', 'build')
  useCommands(
    () => [
      ...offers.map(({ action, title, keys }) => ({ keys, label: () => t(title), run: start(action) })),
      ...(mayChange ? [{ keys: 'e', label: () => t('edit'), run: start('edit') }] : []),
    ],
    [offers.length, mayChange],
  )
  const crumbs = [{ text: t('builds.title'), to: '/build/' }]
  if (refusal) return <Refused refusal={refusal} crumbs={crumbs} />
  if (!data || !build) return null
  const lines = data.lines.body.results
  const buttons = outputs.length > 0 ? BUTTONS.with : BUTTONS.without
  const units = build.part_detail?.units
  const actions = (
    <>
      {offers.slice(0, buttons).map(({ action, title, icon }, index) => (
        <button key={action} type="button" class={index === 0 ? 'primary' : ''} onClick={start(action)}>
          <Icon name={icon} />
          {t(title)}
        </button>
      ))}
      {(mayChange || offers.length > buttons) && (
        <Menu label={t('more')} icon="menu">
          {offers.slice(buttons).map(({ action, title, icon }) => (
            <button key={action} type="button" class="quiet" onClick={start(action)}>
              <Icon name={icon} />
              {t(title)}
            </button>
          ))}
          {mayChange && (
            <button type="button" class="quiet" onClick={start('edit')}>
              <Icon name="edit" />
              {t('edit')}
            </button>
          )}
        </Menu>
      )}
    </>
  )
  const what = doing.value
  return (
    <Page
      title={`${build.reference} · ${build.part_detail?.full_name ?? ''}`}
      crumbs={crumbs}
      state={<StateBadge order={build} states={STATES} />}
      actions={actions}
    >
      <Figures
        rows={[
          [t('builds.made'), <Progress key="made" done={build.completed} of={build.quantity} title={t('builds.made')} />],
          [t('builds.to-make'), quantity(build.quantity, units)],
          [label('target_date'), date(build.target_date), build.overdue ? 'bad' : undefined],
          [t('builds.short'), isActive(build) && lines.filter(isShort).length, lines.some(isShort) ? 'bad' : undefined],
        ]}
      />
      <Panel title={t('builds.components')}>
        {lines.length > 0 ? <Lines lines={lines} /> : <p class="quiet-text">{t('parts.no-bom')}</p>}
      </Panel>
      <div class="columns build-rest">
        <Panel title={what === 'edit' ? t('edit') : undefined}>
          {what === 'edit' ? (
            <Edit facts={facts} url={url} start={data.build} names={FIELDS} onSaved={done} onCancel={close} />
          ) : (
            <BuildFacts build={build} />
          )}
        </Panel>
        <div class="stack">
          {outputs.length > 0 && (
            <Panel title={t('builds.outputs')}>
              <ShortTable
                title={t('builds.outputs')}
                rows={outputs}
                columns={[
                  {
                    name: 'part',
                    cell: (output) => <a href={`/stock/item/${output.pk}/`}>{markOf(output) || output.part_detail?.full_name}</a>,
                  },
                  { name: 'quantity', align: 'end', cell: quantityOf },
                ]}
              />
            </Panel>
          )}
          <Attachments
            url="/api/build/attachment/"
            of={{ build: build.pk }}
            mayAdd={may('add', 'build')}
            mayDelete={may('delete', 'build')}
          />
        </div>
      </div>
      {what && what !== 'edit' && (
        <BuildActionDialog action={what} build={build} outputs={outputs} onDone={done} onClose={close} />
      )}
    </Page>
  )
}

/** What it needs, component by component. Those of which there is too little are red. */
const Lines = ({ lines }: { lines: readonly BuildLine[] }) => (
  <ShortTable
    title={t('builds.components')}
    rows={lines}
    columns={[
      {
        name: 'part',
        cell: ({ part_detail, bom_item_detail }) => (
          <>
            <a href={`/part/${part_detail?.pk}/`}>{part_detail?.full_name}</a>{' '}
            {bom_item_detail?.optional && <Badge>{t('parts.optional')}</Badge>}{' '}
            {bom_item_detail?.consumable && <Badge>{t('parts.consumable')}</Badge>}
            {bom_item_detail?.reference && <small>{bom_item_detail.reference}</small>}
          </>
        ),
      },
      {
        name: 'quantity',
        title: () => t('builds.needed'),
        align: 'end',
        cell: (line) => quantity(line.quantity, line.part_detail?.units),
      },
      {
        name: 'allocated',
        align: 'end',
        cell: (line) => (
          <span
            title={line.allocations
              .map(({ location_detail }) => location_detail?.pathstring)
              .filter(Boolean)
              .join(', ')}
          >
            {quantity(line.allocated, line.part_detail?.units)}
          </span>
        ),
      },
      {
        name: 'available',
        title: () => t('parts.free'),
        align: 'end',
        cell: (line) => (
          <span class={isShort(line) ? 'low' : ''}>{quantity(line.total_available_stock, line.part_detail?.units)}</span>
        ),
      },
      {
        name: 'on_order',
        title: () => t('parts.on-order'),
        align: 'end',
        isWide: true,
        cell: (line) => (line.on_order > 0 ? quantity(line.on_order, line.part_detail?.units) : ''),
      },
    ]}
  />
)

const BuildFacts = ({ build }: { build: Build }) => (
  <Facts
    rows={[
      [
        label('part'),
        <a key="part" href={`/part/${build.part}/`}>
          {build.part_detail?.full_name}
        </a>,
      ],
      [label('title'), build.title],
      [label('batch'), build.batch],
      [
        label('sales_order'),
        build.sales_order !== null && <a href={`/order/sales-order/${build.sales_order}/`}>{build.sales_order}</a>,
      ],
      [label('parent'), build.parent !== null && <a href={`/build/${build.parent}/`}>{t('builds.parent')}</a>],
      [label('responsible'), build.responsible_detail?.name],
      [label('issued_by'), build.issued_by_detail?.username],
      [label('creation_date'), date(build.creation_date)],
      [label('completion_date'), date(build.completion_date)],
      [label('link'), build.link && <a href={build.link}>{build.link}</a>],
      [label('notes'), build.notes && <span class="notes">{build.notes}</span>],
    ]}
  />
)
