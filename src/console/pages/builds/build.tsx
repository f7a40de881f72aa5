import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Attachments } from '../../kit/files/attachments.tsx'
import { PrintReports } from '../../kit/files/print-reports.tsx'
import { Edit } from '../../kit/form/edit.tsx'
import type { Values } from '../../kit/form/form.tsx'
import { formatDate, formatNumber, formatWithUnit, label, t } from '../../kit/language/language.ts'
import { readQuery, setQuery } from '../../kit/navigation/router.ts'
import { type Action, useActions } from '../../kit/page/actions.tsx'
import { useRead } from '../../kit/page/data.ts'
import { Figures } from '../../kit/page/figures.tsx'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Notes } from '../../kit/page/notes.tsx'
import { DescriptionList, Page, type PageProperties, Panel } from '../../kit/page/page.tsx'
import { Timeline } from '../../kit/page/timeline.tsx'
import { type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { hasPermission } from '../../kit/service/session.ts'
import { ShortTable } from '../../kit/table/short-table.tsx'
import type { Rows } from '../../kit/table/table-rows.ts'
import { ActionDialog } from '../orders/action-dialog.tsx'
import { LinkedOrder, Progress, StatusBadge } from '../orders/order-cells.tsx'
import { createReleasedEntries, getReleasedUrl, type ReleasedStock } from '../stock/released.tsx'
import { ACTIONS, type BuildAction, type CompletionBlockers, createActionDialog, getBlockerUrls } from './build-actions.tsx'
import {
  type Build,
  type BuildLine,
  buildMetadata,
  CANCELLED,
  canProceed,
  countUnallocated,
  FORM_FIELDS,
  getUnallocatedUrls,
  isActive,
  isShort,
  type Output,
  STATUSES,
} from './build-details.ts'
import { BuildLines } from './build-lines.tsx'
import { LineDialog } from './line-dialog.tsx'
import { NewBuild } from './new-build.tsx'
import { OrderShortages } from './order-shortages.tsx'
import { Outputs } from './outputs.tsx'

/** Maximum number of outputs, and of child build orders, that are shown; a link leads to the others. */
const MAX_ROWS = 200

/** Number of actions with a button; the others are in the menu. */
const BUTTON_COUNT = 3

type PageData = CompletionBlockers & {
  build: Build
  /** Number of components with too little stock, and of those that are not fully allocated; tracked ones are separate. */
  short: ListPage<unknown>
  untracked: ListPage<unknown>
  tracked: ListPage<BuildLine>
  children: ListPage<Build>
  outputs?: ListPage<Output>
  released?: ListPage<ReleasedStock>
}
type OpenDialog = BuildAction | 'edit' | 'order' | { initialValues: Values }

/** `/build/:pk/`: a build order with its outputs, its components, and their allocations. `?line=` opens one of its lines. */
export function BuildPage({ params }: PageProperties) {
  const url = `/api/build/${params.pk}/`
  const { data, error, reload } = useRead<PageData>({
    build: withQuery(url, { part_detail: true, tags: true }),
    short: withQuery('/api/build/line/', {
      build: params.pk,
      allocated: false,
      available: false,
      consumable: false,
      tracked: false,
      limit: 1,
    }),
    ...getUnallocatedUrls(params.pk),
    ...getBlockerUrls(params.pk),
    children: withQuery('/api/build/', { parent: params.pk, part_detail: true, limit: MAX_ROWS }),
    ...getReleasedUrl({ build: params.pk as string }),
    ...(hasPermission('view', 'stock')
      ? {
          outputs: withQuery('/api/stock/', {
            build: params.pk,
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
  const createOpener = (openDialog: OpenDialog | undefined) => () => {
    dialog.value = openDialog
  }
  const close = createOpener(undefined)
  const reloadAll = () => {
    reload()
    rows.current?.reload()
  }
  const handleSaved = () => {
    close()
    reloadAll()
  }
  const build = data?.build.body
  const outputs = data?.outputs?.body.results ?? []
  const isOpen = build !== undefined && isActive(build)
  const canAct = isOpen && hasPermission('add', 'build')
  const isOnHold = isOpen && !canProceed(build)
  const shortCount = data ? data.short.body.count + data.tracked.body.results.filter(isShort).length : 0
  const missingCount = data ? countUnallocated(data.untracked.body, data.tracked.body) : 0
  const canOrder = isOpen && shortCount > 0 && hasPermission('add', 'purchase_order') && hasPermission('view', 'part')
  // the next step is highlighted
  const next: BuildAction = isOnHold
    ? 'resume'
    : missingCount > 0
      ? 'allocate'
      : outputs.length === 0 && build && build.completed < build.quantity
        ? 'create-output'
        : 'finish'
  const [first, ...others] = ACTIONS.toSorted((a, b) => Number(b.action === next) - Number(a.action === next)).map(
    ({ action, title, keys, icon, isAllowed }): Action | false =>
      canAct && (isAllowed?.(build) ?? true) && { title: t(title), keys, icon, run: createOpener(action) },
  )
  const actions = useActions(
    [
      first,
      canOrder && { title: t('builds.order-shortages'), keys: 'o', icon: 'cart', run: createOpener('order') },
      ...others,
      canAct && {
        title: t('builds.new-child'),
        keys: 'n',
        icon: 'wrench',
        run: createOpener({ initialValues: { parent: Number(params.pk) } }),
      },
      build !== undefined &&
        hasPermission('change', 'build') && { title: t('edit'), keys: 'e', icon: 'edit', run: createOpener('edit') },
    ],
    BUTTON_COUNT,
    <PrintReports key="print" model="build" pks={[Number(params.pk)]} />,
  )
  const crumbs = [{ text: t('builds.title'), to: '/build/' }]
  if (error) return <LoadError error={error} crumbs={crumbs} />
  if (!data || !build) return null
  const units = build.part_detail?.units
  const openDialog = dialog.value
  const currentAction = ACTIONS.find(({ action }) => action === openDialog)
  const loaded = { etag: data.build.etag, reload: reloadAll }
  const lineKey = readQuery('line')
  const closeLine = () => setQuery({ line: undefined, bom_item: undefined }, { replace: true })
  return (
    <Page
      title={`${build.reference} · ${build.part_detail?.full_name ?? ''}`}
      crumbs={crumbs}
      state={<StatusBadge order={build} statuses={STATUSES} />}
      actions={actions}
    >
      <Figures
        rows={[
          [
            t('builds.completed-quantity'),
            <Progress key="completed" done={build.completed} total={build.quantity} title={t('builds.completed-quantity')} />,
          ],
          [t('builds.quantity-to-build'), formatWithUnit(build.quantity, units)],
          [label('target_date'), formatDate(build.target_date), build.overdue ? 'bad' : undefined],
          [t('builds.not-allocated'), isOpen && formatNumber(missingCount)],
          [t('builds.components-short'), isOpen && formatNumber(shortCount), shortCount > 0 ? 'bad' : undefined],
        ]}
      />
      <div class="stack">
        <Outputs
          build={build}
          outputs={outputs}
          total={data.outputs?.body.count ?? 0}
          canAct={canAct && !isOnHold}
          onDone={reloadAll}
        />
        <BuildLines
          build={build}
          canPick={canAct && missingCount > 0}
          onRows={(newRows) => {
            rows.current = newRows
          }}
        />
      </div>
      <div class="columns build-rest">
        <Panel title={openDialog === 'edit' ? t('edit') : undefined}>
          {openDialog === 'edit' ? (
            <Edit
              metadata={buildMetadata}
              url={url}
              start={data.build}
              names={FORM_FIELDS}
              onSaved={handleSaved}
              onCancel={close}
            />
          ) : (
            <BuildSummary build={build} />
          )}
        </Panel>
        <div class="stack">
          <ChildBuilds builds={data.children.body.results} total={data.children.body.count} />
          <Attachments
            model="build"
            pk={build.pk}
            canAdd={hasPermission('add', 'build')}
            canDelete={hasPermission('delete', 'build')}
          />
          {data.released && data.released.body.count > 0 && (
            <Panel title={t('timeline.title')}>
              <Timeline entries={createReleasedEntries(data.released.body)} />
            </Panel>
          )}
        </div>
      </div>
      {lineKey && (
        <LineDialog
          key={lineKey}
          build={build}
          pk={lineKey}
          bomItem={readQuery('bom_item')}
          outputs={outputs}
          onChanged={reloadAll}
          onBuild={(part, amount) => {
            closeLine()
            dialog.value = { initialValues: { parent: build.pk, part, quantity: String(amount) } }
          }}
          onClose={closeLine}
        />
      )}
      {openDialog === 'order' && <OrderShortages build={build} onDone={reloadAll} onClose={close} />}
      {typeof openDialog === 'object' && <NewBuild initialValues={openDialog.initialValues} onClose={close} />}
      {currentAction && (
        <ActionDialog
          key={currentAction.action}
          url={url}
          action={currentAction.path}
          title={t(currentAction.title)}
          button={t(currentAction.title)}
          question={createActionDialog(currentAction.action, build, data.outputs?.body, {
            overallocated: data.overallocated.body,
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
const ChildBuilds = ({ builds, total }: { builds: readonly Build[]; total: number }) =>
  builds.length === 0 ? null : (
    <Panel
      title={t('builds.child-orders')}
      actions={
        total > builds.length && (
          <span class="quiet-text">
            {t('builds.more-outputs', { shown: formatNumber(builds.length), count: formatNumber(total) })}
          </span>
        )
      }
    >
      <ShortTable
        title={t('builds.child-orders')}
        rows={builds}
        columns={[
          { name: 'reference', cell: ({ pk, reference }) => <a href={`/build/${pk}/`}>{reference}</a> },
          { name: 'part', cell: ({ part_detail }) => part_detail?.full_name },
          {
            name: 'completed',
            align: 'end',
            isWide: true,
            cell: ({ completed, quantity }) => `${formatNumber(completed)} / ${formatNumber(quantity)}`,
          },
          { name: 'status', align: 'end', cell: (build) => <StatusBadge order={build} statuses={STATUSES} /> },
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
            apiPath="/api/order/so/"
            pk={build.sales_order}
            pagePath="/order/sales-order/"
            title={label('sales_order')}
          />
        ),
      ],
      [
        label('parent'),
        build.parent !== null && (
          <LinkedOrder key="parent" apiPath="/api/build/" pk={build.parent} pagePath="/build/" title={t('builds.parent')} />
        ),
      ],
      [
        t('stock.title'),
        hasPermission('view', 'stock') && (
          <>
            <a href={`/stock/?build=${build.pk}`}>{t('builds.completed-outputs')}</a> ·{' '}
            <a href={`/stock/?consumed_by=${build.pk}`}>{t('builds.consumed-stock')}</a>
          </>
        ),
      ],
      [label('responsible'), build.responsible_detail?.name],
      [label('issued_by'), build.issued_by_detail?.username],
      [label('external'), build.external && t('yes')],
      [label('creation_date'), formatDate(build.creation_date)],
      [label('start_date'), formatDate(build.start_date ?? null)],
      [build.status === CANCELLED ? t('builds.cancelled') : label('completion_date'), formatDate(build.completion_date)],
      [label('link'), build.link && <a href={build.link}>{build.link}</a>],
      [label('notes'), build.notes && <Notes text={build.notes} />],
    ]}
  />
)
