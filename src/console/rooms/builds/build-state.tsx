import cancelFacts from 'facts:/api/build/{id}/cancel/'
import finishFacts from 'facts:/api/build/{id}/finish/'
import { count, number, quantity, t } from '../../kit/language/language.ts'
import { type Page, withQuery } from '../../kit/service/api.ts'
import { compare } from '../../kit/values/exact.ts'
import type { StateQuestion } from '../orders/state-dialog.tsx'
import { type Build, type BuildLine, type Output, outputName } from './build-facts.ts'

/** What is missing before a build order can be finished, as the page reads it with the rest. */
export type Missing = {
  /** Lines for which more is put by than they take, and those for which less is. */
  over: Page<BuildLine>
  unallocated: Page<BuildLine>
}

/** How many of them are named. */
const NAMED = 3

/** Where that is: the service refuses what these are not empty of. */
export const missingOf = (build: string | undefined): { [Name in keyof Missing]: string } => ({
  over: withQuery('/api/build/line/', { build, overallocated: true, limit: NAMED }),
  unallocated: withQuery('/api/build/line/', { build, allocated: false, consumable: false, tracked: false, limit: NAMED }),
})

/** What finishing a build order asks: each thing that is missing, with what becomes of it. Where nothing is, Enter does it. */
export function finishQuestion(build: Build, outputs: Page<Output> | undefined, { over, unallocated }: Missing): StateQuestion {
  const { reference } = build
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
  const help: Record<string, string | false> = {
    accept_overallocated: over.count > 0 && `${count('builds.over', over.count)} ${linesOf(over)}`,
    accept_unallocated: unallocated.count > 0 && `${count('builds.unallocated', unallocated.count)} ${linesOf(unallocated)}`,
    accept_incomplete:
      compare(build.completed, build.quantity) < 0 &&
      t('builds.incomplete', { made: number(build.completed), wanted: quantity(build.quantity, build.part_detail?.units) }),
  }
  const names = Object.keys(help).filter((name) => help[name])
  return {
    form: {
      facts: finishFacts,
      start: { accept_overallocated: 'reject', accept_unallocated: false, accept_incomplete: false },
      names,
      help,
      done: t('builds.was-finished', { reference }),
    },
    children: <AboutBuild build={build} more={names.length === 0 && t('builds.nothing-missing')} />,
  }
}

/** What cancelling a build order asks: what becomes of its allocated stock and its outputs. */
export const cancelQuestion = (build: Build): StateQuestion => ({
  form: {
    facts: cancelFacts,
    start: { remove_allocated_stock: false, remove_incomplete_outputs: false },
    names: ['remove_allocated_stock', 'remove_incomplete_outputs'],
    done: t('builds.was-cancelled', { reference: build.reference }),
  },
  children: <AboutBuild build={build} />,
})

/** The build order that a dialog is about. */
export const AboutBuild = ({ build: { reference, part_detail }, more }: { build: Build; more?: string | false }) => (
  <p class="about">
    <strong>{`${reference} · ${part_detail?.full_name ?? ''}`}</strong>
    {more && <span>{more}</span>}
  </p>
)

/** The first of something, and that there are more. */
const listed = (names: readonly string[], all: number): string =>
  names.slice(0, NAMED).join(', ') + (all > NAMED ? t('builds.and-more', { count: number(all - NAMED) }) : '.')

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
