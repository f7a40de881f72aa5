import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Attachments } from '../../kit/files/attachments.tsx'
import { PrintReports } from '../../kit/files/print-reports.tsx'
import { Edit } from '../../kit/form/edit.tsx'
import type { Values } from '../../kit/form/form.tsx'
import { date, label, number, quantity, t } from '../../kit/language/language.ts'
import { query, setQuery } from '../../kit/navigation/router.ts'
import { type Action, useActions } from '../../kit/page/actions.tsx'
import { useRead } from '../../kit/page/data.ts'
import { Figures } from '../../kit/page/figures.tsx'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Notes } from '../../kit/page/notes.tsx'
import { DescriptionList, Page, type PageProperties, Panel } from '../../kit/page/page.tsx'
import { Timeline } from '../../kit/page/timeline.tsx'
import { type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { may } from '../../kit/service/session.ts'
import { ShortTable } from '../../kit/table/short-table.tsx'
import type { Rows } from '../../kit/table/table-rows.ts'
import { ActionDialog } from '../orders/action-dialog.tsx'
import { LinkedOrder, Progress, StateBadge } from '../orders/order-cells.tsx'
import { type Released, releasedEntries, releasedOf } from '../stock/released.tsx'
import { ACTIONS, type BuildAction, buildQuestion, type Missing, missingOf } from './build-actions.tsx'
import {
  type Build,
  type BuildLine,
  buildMetadata,
  CANCELLED,
  countShortages,
  FIELDS,
  isActive,
  isShort,
  type Output,
  STATES,
  shortagesOf,
} from './build-details.ts'
import { BuildLines } from './build-lines.tsx'
import { LineDialog } from './line-dialog.tsx'
import { NewBuild } from './new-build.tsx'
import { OrderShortages } from './order-shortages.tsx'
import { Outputs } from './outputs.tsx'

/** Maximum number of outputs, and of child build orders, that are shown; a link leads to the others. */
const MAX_ROWS = 200

/** Number of actions with a button; the others are in the menu. */
const BUTTONS = 3

type PageData = Missing & {
  build: Build
  /** Number of components with too little stock, and of those that are not fully allocated; tracked ones are separate. */
  short: ListPage<unknown>
  lacking: ListPage<unknown>
  tracked: ListPage<BuildLine>
  below: ListPage<Build>
  outputs?: ListPage<Output>
  released?: ListPage<Released>
}
type OpenDialog = BuildAction | 'edit' | 'order' | { initialValues: Values }

/** `/build/:pk/`: a build order with its outputs, its components, and their allocations. `?line=` opens one of its lines. */
export function BuildPage({ at }: PageProperties) {
  const url = `/api/build/${at.pk}/`
  const { data, error, reload } = useRead<PageData>({
    build: withQuery(url, { part_detail: true }),
    short: withQuery('/api/build/line/', {
      build: at.pk,
      allocated: false,
      available: false,
      consumable: false,
      tracked: false,
      limit: 1,
    }),
    ...shortagesOf(at.pk),
    ...missingOf(at.pk),
    below: withQuery('/api/build/', { parent: at.pk, part_detail: true, limit: MAX_ROWS }),
    ...releasedOf({ build: at.pk as string }),
    ...(may('view', 'stock')
      ? {
          outputs: withQuery('/api/stock/', {
            build: at.pk,
            is_building: true,
            part_detail: true,
            tests: true,
            limit: MAX_ROWS,
          }),
        }
      : {}),
  })
  const dialog = useSignal<OpenDialog | undefined>(undefined)
  const rows = useRef<Rows<BuildLine>>(undefined)
  const start = (openDialog: OpenDialog | undefined) => () => {
    dialog.value = openDialog
  }
  const close = start(undefined)
  const changed = () => {
    reload()
    rows.current?.reload()
  }
  const handleSaved = () => {
    close()
    changed()
  }
  const build = data?.build.body
  const outputs = data?.outputs?.body.results ?? []
  const isOpen = build !== undefined && isActive(build)
  const mayAct = isOpen && may('add', 'build')
  const short = data ? data.short.body.count + data.tracked.body.results.filter(isShort).length : 0
  const missingCount = data ? countShortages(data.lacking.body, data.tracked.body) : 0
  const mayOrder = isOpen && short > 0 && may('add', 'purchase_order') && may('view', 'part')
  // the next step is highlighted
  const next: BuildAction =
    missingCount > 0 ? 'allocate' : outputs.length === 0 && build && build.completed < build.quantity ? 'begin' : 'finish'
  const [first, ...others] = ACTIONS.toSorted((one, other) => Number(other.action === next) - Number(one.action === next)).map(
    ({ action, title, keys, icon }): Action | false => mayAct && { title: t(title), keys, icon, run: start(action) },
  )
  const actions = useActions(
    [
      first,
      mayOrder && { title: t('builds.order-lacking'), keys: 'o', icon: 'cart', run: start('order') },
      ...others,
      mayAct && {
        title: t('builds.new-below'),
        keys: 'n',
        icon: 'wrench',
        run: start({ initialValues: { parent: Number(at.pk) } }),
      },
      build !== undefined && may('change', 'build') && { title: t('edit'), keys: 'e', icon: 'edit', run: start('edit') },
    ],
    BUTTONS,
    <PrintReports key="print" kind="build" pks={[Number(at.pk)]} />,
  )
  const crumbs = [{ text: t('builds.title'), to: '/build/' }]
  if (error) return <LoadError error={error} crumbs={crumbs} />
  if (!data || !build) return null
  const units = build.part_detail?.units
  const openDialog = dialog.value
  const current = ACTIONS.find(({ action }) => action === openDialog)
  const loaded = { etag: data.build.etag, reload: changed }
  const line = query('line')
  const closeLine = () => setQuery({ line: undefined, bom_item: undefined }, { replace: true })
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
          [t('builds.not-put-by'), isOpen && number(missingCount)],
          [t('builds.short'), isOpen && number(short), short > 0 ? 'bad' : undefined],
        ]}
      />
      <div class="stack">
        <Outputs build={build} outputs={outputs} total={data.outputs?.body.count ?? 0} mayAct={mayAct} onDone={changed} />
        <BuildLines
          build={build}
          mayPick={mayAct && missingCount > 0}
          onRows={(newRows) => {
            rows.current = newRows
          }}
        />
      </div>
      <div class="columns build-rest">
        <Panel title={openDialog === 'edit' ? t('edit') : undefined}>
          {openDialog === 'edit' ? (
            <Edit metadata={buildMetadata} url={url} start={data.build} names={FIELDS} onSaved={handleSaved} onCancel={close} />
          ) : (
            <BuildSummary build={build} />
          )}
        </Panel>
        <div class="stack">
          <Below builds={data.below.body.results} total={data.below.body.count} />
          <Attachments
            url="/api/build/attachment/"
            of={{ build: build.pk }}
            mayAdd={may('add', 'build')}
            mayDelete={may('delete', 'build')}
          />
          {data.released && data.released.body.count > 0 && (
            <Panel title={t('timeline.title')}>
              <Timeline happened={releasedEntries(data.released.body)} />
            </Panel>
          )}
        </div>
      </div>
      {line && (
        <LineDialog
          key={line}
          build={build}
          pk={line}
          bomItem={query('bom_item')}
          outputs={outputs}
          onChanged={changed}
          onBuild={(part, amount) => {
            closeLine()
            dialog.value = { initialValues: { parent: build.pk, part, quantity: String(amount) } }
          }}
          onClose={closeLine}
        />
      )}
      {openDialog === 'order' && <OrderShortages build={build} onDone={changed} onClose={close} />}
      {typeof openDialog === 'object' && <NewBuild initialValues={openDialog.initialValues} onClose={close} />}
      {current && (
        <ActionDialog
          key={current.action}
          url={url}
          action={current.path}
          title={t(current.title)}
          button={t(current.title)}
          question={buildQuestion(current.action, build, data.outputs?.body, {
            over: data.over.body,
            unallocated: data.unallocated.body,
          })}
          loaded={loaded}
          onDone={handleSaved}
          onClose={close}
        />
      )}
    </Page>
  )
}

/** The child build orders. */
const Below = ({ builds, total }: { builds: readonly Build[]; total: number }) =>
  builds.length === 0 ? null : (
    <Panel
      title={t('builds.below')}
      actions={
        total > builds.length && (
          <span class="quiet-text">{t('builds.more-outputs', { shown: number(builds.length), count: number(total) })}</span>
        )
      }
    >
      <ShortTable
        title={t('builds.below')}
        rows={builds}
        columns={[
          { name: 'reference', cell: ({ pk, reference }) => <a href={`/build/${pk}/`}>{reference}</a> },
          { name: 'part', cell: ({ part_detail }) => part_detail?.full_name },
          {
            name: 'completed',
            align: 'end',
            isWide: true,
            cell: ({ completed, quantity }) => `${number(completed)} / ${number(quantity)}`,
          },
          { name: 'status', align: 'end', cell: (build) => <StateBadge order={build} states={STATES} /> },
        ]}
      />
    </Panel>
  )

const BuildSummary = ({ build }: { build: Build }) => (
  <DescriptionList
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
        build.sales_order !== null && (
          <LinkedOrder
            key="sale"
            api="/api/order/so/"
            at={build.sales_order}
            to="/order/sales-order/"
            title={t('found.sales-order')}
          />
        ),
      ],
      [
        label('parent'),
        build.parent !== null && (
          <LinkedOrder key="above" api="/api/build/" at={build.parent} to="/build/" title={t('builds.parent')} />
        ),
      ],
      [
        t('stock.title'),
        may('view', 'stock') && (
          <>
            <a href={`/stock/?build=${build.pk}`}>{t('builds.what-was-made')}</a> ·{' '}
            <a href={`/stock/?consumed_by=${build.pk}`}>{t('builds.what-was-used')}</a>
          </>
        ),
      ],
      [label('responsible'), build.responsible_detail?.name],
      [label('issued_by'), build.issued_by_detail?.username],
      [label('creation_date'), date(build.creation_date)],
      [build.status === CANCELLED ? t('builds.cancelled') : label('completion_date'), date(build.completion_date)],
      [label('link'), build.link && <a href={build.link}>{build.link}</a>],
      [label('notes'), build.notes && <Notes text={build.notes} />],
    ]}
  />
)
