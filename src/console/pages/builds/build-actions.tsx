import allocateMetadata from 'metadata:/api/build/{id}/auto-allocate/'
import cancelMetadata from 'metadata:/api/build/{id}/cancel/'
import outputMetadata from 'metadata:/api/build/{id}/create-output/'
import finishMetadata from 'metadata:/api/build/{id}/finish/'
import { count, formatNumber, formatWithUnit, type PlainKey, t } from '../../kit/language/language.ts'
import type { IconName } from '../../kit/page/icon.tsx'
import { get, type Page, withQuery } from '../../kit/service/api.ts'
import { compare } from '../../kit/values/exact.ts'
import type { ActionQuestion } from '../orders/action-dialog.tsx'
import { SerialNumbers } from '../stock/serial-numbers.tsx'
import {
  type Build,
  type BuildLine,
  calculateRemaining,
  canProceed,
  countUnallocated,
  formatOutputName,
  getUnallocatedUrls,
  type Output,
  PENDING,
} from './build-details.ts'

/** An action on an active build order. */
export type BuildAction = 'issue' | 'resume' | 'allocate' | 'create-output' | 'finish' | 'release' | 'hold' | 'cancel'

type ActionEntry = {
  action: BuildAction
  /** The last part of the action's URL. */
  path: string
  title: PlainKey
  keys?: string
  icon: IconName
  /** Whether the status of an open build order allows it; by default it does. */
  isAllowed?: (build: Build) => boolean
}

/** All actions. */
export const ACTIONS: readonly ActionEntry[] = [
  {
    action: 'resume',
    path: 'issue',
    title: 'orders.resume',
    keys: 'i',
    icon: 'right',
    isAllowed: (build) => !canProceed(build),
  },
  { action: 'allocate', path: 'auto-allocate', title: 'builds.allocate', keys: 'a', icon: 'box' },
  {
    action: 'create-output',
    path: 'create-output',
    title: 'builds.create-output',
    keys: 'b',
    icon: 'plus',
    isAllowed: canProceed,
  },
  { action: 'finish', path: 'finish', title: 'builds.complete-order', keys: 'f', icon: 'check', isAllowed: canProceed },
  { action: 'release', path: 'unallocate', title: 'builds.release-all', icon: 'undo' },
  { action: 'issue', path: 'issue', title: 'builds.issue', icon: 'send', isAllowed: ({ status }) => status === PENDING },
  { action: 'hold', path: 'hold', title: 'orders.hold', icon: 'pause', isAllowed: canProceed },
  { action: 'cancel', path: 'cancel', title: 'builds.cancel', keys: 'x', icon: 'close' },
]

/** Lines of a build order that prevent its completion, loaded with the page. */
export type CompletionBlockers = {
  /** Lines with more stock allocated than they require, and lines with less. */
  overallocated: Page<BuildLine>
  unallocated: Page<BuildLine>
}

/** Number of lines that are named. */
const MAX_NAMED_LINES = 3

/** URLs of these lines: the service rejects the completion while there are any. */
export const getBlockerUrls = (build: string | undefined): { [Name in keyof CompletionBlockers]: string } => ({
  overallocated: withQuery('/api/build/line/', { build, overallocated: true, limit: MAX_NAMED_LINES }),
  unallocated: withQuery('/api/build/line/', {
    build,
    allocated: false,
    consumable: false,
    tracked: false,
    limit: MAX_NAMED_LINES,
  }),
})

/** The dialog for an action on a build order. @param outputs undefined without the permission to view stock */
export function createActionDialog(
  action: BuildAction,
  build: Build,
  outputs: Page<Output> | undefined,
  missing: CompletionBlockers,
): ActionQuestion {
  const { reference, part_detail, take_from, batch } = build
  const units = part_detail?.units
  const renderHeader = (detail?: string | false) => (
    <p class="about">
      <strong>{`${reference} · ${part_detail?.full_name ?? ''}`}</strong>
      {detail && <span>{detail}</span>}
    </p>
  )
  switch (action) {
    case 'allocate':
      return {
        children: renderHeader(),
        form: {
          metadata: allocateMetadata,
          names: ['location', 'exclude_location', 'interchangeable', 'substitutes', 'optional_items'],
          start: {
            location: take_from,
            exclude_location: null,
            interchangeable: true,
            substitutes: true,
            optional_items: false,
          },
          help: { exclude_location: null },
          getSuccessMessage: () => createAllocationMessage(build),
        },
      }
    case 'create-output': {
      const remaining = calculateRemaining(build, outputs?.results ?? [])
      return {
        children: renderHeader(),
        form: {
          metadata: { ...outputMetadata, fields: { ...outputMetadata.fields, serial_numbers: { kind: 'text' } } },
          names: part_detail?.trackable
            ? ['quantity', 'serial_numbers', 'batch_code', 'location', 'auto_allocate']
            : ['quantity', 'batch_code', 'location'],
          start: {
            quantity: String(remaining || 1),
            serial_numbers: '',
            batch_code: batch ?? '',
            location: null,
            auto_allocate: false,
          },
          help: { quantity: null, batch_code: null, location: null },
          own: (form) => ({
            serial_numbers: () => (
              <SerialNumbers
                form={form}
                part={build.part}
                expectedCount={Number(form.values.value.quantity)}
                isRequired={part_detail?.trackable}
              />
            ),
          }),
          // more outputs than ordered
          getWarning: ({ quantity: newQuantity }) =>
            /^\d+\.?\d*$/.test(String(newQuantity)) && compare(String(newQuantity), remaining) > 0
              ? t('builds.more-outputs-than-left', {
                  amount: formatWithUnit(String(newQuantity), units),
                  left: formatWithUnit(remaining, units),
                })
              : undefined,
          getSuccessMessage: ({ quantity: newQuantity }) =>
            t('builds.output-created', { amount: formatWithUnit(String(newQuantity), units) }),
        },
      }
    }
    case 'issue':
    case 'resume':
      return { children: renderHeader() }
    case 'hold':
      return { children: renderHeader(t('builds.hold-more')) }
    case 'release':
      return {
        children: renderHeader(t('builds.release-all-text')),
        form: {
          metadata: { path: '/api/build/{id}/unallocate/', fields: {}, filters: {}, orders: [] },
          names: [],
          start: {},
          getSuccessMessage: () => t('builds.released'),
        },
      }
    case 'cancel':
      return {
        children: renderHeader(),
        form: {
          metadata: cancelMetadata,
          names: ['remove_allocated_stock', 'remove_incomplete_outputs'],
          start: { remove_allocated_stock: false, remove_incomplete_outputs: false },
          getSuccessMessage: () => t('builds.was-cancelled', { reference }),
        },
      }
    case 'finish': {
      const openCount = outputs?.count ?? 0
      if (outputs && openCount > 0)
        return {
          blocked: t('builds.not-yet', { reference }),
          children: (
            <>
              <p>
                {count('builds.still-open', openCount)} {formatNames(outputs.results.map(formatOutputName), openCount)}
              </p>
              <p>{t('builds.still-open-more')}</p>
            </>
          ),
        }
      const help = describeMissing(build, missing)
      return {
        children: renderHeader(Object.keys(help).length === 0 && t('builds.nothing-missing')),
        form: {
          metadata: finishMetadata,
          names: Object.keys(help),
          start: { accept_overallocated: 'reject', accept_unallocated: false, accept_incomplete: false },
          help,
          getSuccessMessage: () => t('builds.was-completed', { reference }),
        },
      }
    }
  }
}

/** Reports whether components are still short after the automatic allocation. */
async function createAllocationMessage({ pk }: Build): Promise<string> {
  const urls = getUnallocatedUrls(pk)
  const read = Promise.all([get<Page<unknown>>(urls.untracked), get<Page<BuildLine>>(urls.tracked)])
  // the allocation is done, even if this read fails
  const remaining = await read.then(([untracked, tracked]) => countUnallocated(untracked.body, tracked.body)).catch(() => 0)
  return remaining > 0 ? count('builds.not-in-full', remaining) : t('builds.all-allocated')
}

/** Describes missing allocations and outputs, by the field that accepts them. */
function describeMissing(
  { completed, quantity: planned, part_detail }: Build,
  { overallocated, unallocated }: CompletionBlockers,
): Record<string, string> {
  const help: Record<string, string> = {}
  if (overallocated.count > 0)
    help.accept_overallocated = `${count('builds.over', overallocated.count)} ${formatLines(overallocated)}`
  if (unallocated.count > 0)
    help.accept_unallocated = `${count('builds.unallocated', unallocated.count)} ${formatLines(unallocated)}`
  if (compare(completed, planned) < 0)
    help.accept_incomplete = t('builds.incomplete', {
      made: formatNumber(completed),
      wanted: formatWithUnit(planned, part_detail?.units),
    })
  return help
}

/** Lists the first names, and the number of further ones. */
const formatNames = (names: readonly string[], total: number): string =>
  names.slice(0, MAX_NAMED_LINES).join(', ') +
  (total > MAX_NAMED_LINES ? t('builds.and-more', { count: formatNumber(total - MAX_NAMED_LINES) }) : '.')

const formatLines = ({ results, count: total }: Page<BuildLine>): string =>
  formatNames(
    results.map(({ part_detail, allocated, quantity: required }) =>
      t('builds.allocated-of', {
        part: part_detail?.full_name ?? '',
        put: formatNumber(allocated),
        needed: formatWithUnit(required, part_detail?.units),
      }),
    ),
    total,
  )
