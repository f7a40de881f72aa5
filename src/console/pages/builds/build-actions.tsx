import allocateMetadata from 'metadata:/api/build/{id}/auto-allocate/'
import cancelMetadata from 'metadata:/api/build/{id}/cancel/'
import outputMetadata from 'metadata:/api/build/{id}/create-output/'
import finishMetadata from 'metadata:/api/build/{id}/finish/'
import { count, number, type PlainKey, quantity, t } from '../../kit/language/language.ts'
import type { IconName } from '../../kit/page/icon.tsx'
import { get, type Page, withQuery } from '../../kit/service/api.ts'
import { compare } from '../../kit/values/exact.ts'
import type { ActionQuestion } from '../orders/action-dialog.tsx'
import { SerialNumbers } from '../stock/serial-numbers.tsx'
import {
  type Build,
  type BuildLine,
  countShortages,
  type Output,
  outputName,
  remainingToBuild,
  shortagesOf,
} from './build-details.ts'

/** An action on an active build order. */
export type BuildAction = 'allocate' | 'begin' | 'finish' | 'free' | 'cancel'

/** All actions; `path` is the last part of the action's URL. */
export const ACTIONS: readonly { action: BuildAction; path: string; title: PlainKey; keys?: string; icon: IconName }[] = [
  { action: 'allocate', path: 'auto-allocate', title: 'builds.allocate', keys: 'a', icon: 'box' },
  { action: 'begin', path: 'create-output', title: 'builds.begin', keys: 'b', icon: 'plus' },
  { action: 'finish', path: 'finish', title: 'builds.finish', keys: 'f', icon: 'check' },
  { action: 'free', path: 'unallocate', title: 'builds.free', icon: 'undo' },
  { action: 'cancel', path: 'cancel', title: 'builds.cancel', keys: 'x', icon: 'close' },
]

/** Missing allocations of a build order before it is completed, loaded with the page. */
export type Missing = {
  /** Lines with more allocated than they take, and lines with less. */
  over: Page<BuildLine>
  unallocated: Page<BuildLine>
}

/** Number of lines that are named. */
const MAX_NAMED_LINES = 3

/** Addresses of these lines: the service rejects the completion while there are any. */
export const missingOf = (build: string | undefined): { [Name in keyof Missing]: string } => ({
  over: withQuery('/api/build/line/', { build, overallocated: true, limit: MAX_NAMED_LINES }),
  unallocated: withQuery('/api/build/line/', {
    build,
    allocated: false,
    consumable: false,
    tracked: false,
    limit: MAX_NAMED_LINES,
  }),
})

/** The dialog for an action on a build order. @param outputs undefined without the permission to view stock */
export function buildQuestion(
  action: BuildAction,
  build: Build,
  outputs: Page<Output> | undefined,
  missing: Missing,
): ActionQuestion {
  const { reference, part_detail, take_from, batch } = build
  const units = part_detail?.units
  const about = (more?: string | false) => (
    <p class="about">
      <strong>{`${reference} · ${part_detail?.full_name ?? ''}`}</strong>
      {more && <span>{more}</span>}
    </p>
  )
  switch (action) {
    case 'allocate':
      return {
        children: about(),
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
          getSuccessMessage: () => allocationMessage(build),
        },
      }
    case 'begin': {
      const remaining = remainingToBuild(build, outputs?.results ?? [])
      return {
        children: about(),
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
                isNeeded={part_detail?.trackable}
              />
            ),
          }),
          // more outputs than ordered
          getWarning: ({ quantity: newQuantity }) =>
            /^\d+\.?\d*$/.test(String(newQuantity)) && compare(String(newQuantity), remaining) > 0
              ? t('builds.more-begun', { amount: quantity(String(newQuantity), units), left: quantity(remaining, units) })
              : undefined,
          getSuccessMessage: ({ quantity: newQuantity }) => t('builds.begun', { amount: quantity(String(newQuantity), units) }),
        },
      }
    }
    case 'free':
      return {
        children: about(t('builds.free-text')),
        form: {
          metadata: { path: '/api/build/{id}/unallocate/', fields: {}, filters: {}, orders: [] },
          names: [],
          start: {},
          getSuccessMessage: () => t('builds.freed'),
        },
      }
    case 'cancel':
      return {
        children: about(),
        form: {
          metadata: cancelMetadata,
          names: ['remove_allocated_stock', 'remove_incomplete_outputs'],
          start: { remove_allocated_stock: false, remove_incomplete_outputs: false },
          getSuccessMessage: () => t('builds.was-cancelled', { reference }),
        },
      }
    case 'finish': {
      const open = outputs?.count ?? 0
      if (outputs && open > 0)
        return {
          blocked: t('builds.not-yet', { reference }),
          children: (
            <>
              <p>
                {count('builds.still-open', open)} {listed(outputs.results.map(outputName), open)}
              </p>
              <p>{t('builds.still-open-more')}</p>
            </>
          ),
        }
      const help = helpOfFinish(build, missing)
      return {
        children: about(Object.keys(help).length === 0 && t('builds.nothing-missing')),
        form: {
          metadata: finishMetadata,
          names: Object.keys(help),
          start: { accept_overallocated: 'reject', accept_unallocated: false, accept_incomplete: false },
          help,
          getSuccessMessage: () => t('builds.was-finished', { reference }),
        },
      }
    }
  }
}

/** Reports whether components are still short after the automatic allocation. */
async function allocationMessage({ pk }: Build): Promise<string> {
  const urls = shortagesOf(pk)
  const read = Promise.all([get<Page<unknown>>(urls.lacking), get<Page<BuildLine>>(urls.tracked)])
  // the allocation is done, even if this read fails
  const remaining = await read.then(([untracked, tracked]) => countShortages(untracked.body, tracked.body)).catch(() => 0)
  return remaining > 0 ? count('builds.not-in-full', remaining) : t('builds.all-put-by')
}

/** Missing allocations and outputs before completion, by the field that accepts them. */
function helpOfFinish(
  { completed, quantity: planned, part_detail }: Build,
  { over, unallocated }: Missing,
): Record<string, string> {
  const help: Record<string, string> = {}
  if (over.count > 0) help.accept_overallocated = `${count('builds.over', over.count)} ${linesOf(over)}`
  if (unallocated.count > 0) help.accept_unallocated = `${count('builds.unallocated', unallocated.count)} ${linesOf(unallocated)}`
  if (compare(completed, planned) < 0)
    help.accept_incomplete = t('builds.incomplete', { made: number(completed), wanted: quantity(planned, part_detail?.units) })
  return help
}

/** Lists the first names, and the number of further ones. */
const listed = (names: readonly string[], all: number): string =>
  names.slice(0, MAX_NAMED_LINES).join(', ') +
  (all > MAX_NAMED_LINES ? t('builds.and-more', { count: number(all - MAX_NAMED_LINES) }) : '.')

const linesOf = ({ results, count: all }: Page<BuildLine>): string =>
  listed(
    results.map(({ part_detail, allocated, quantity: needed }) =>
      t('builds.put-by-of', {
        part: part_detail?.full_name ?? '',
        put: number(allocated),
        needed: quantity(needed, part_detail?.units),
      }),
    ),
    all,
  )
