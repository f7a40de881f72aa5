import facts from 'facts:/api/build/{id}/finish/'
import { Field } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { count, number, quantity, t } from '../../kit/language/language.ts'
import { type Page, withQuery } from '../../kit/service/api.ts'
import { postSeen, type Seen } from '../../kit/service/saves.ts'
import { compare } from '../../kit/values/exact.ts'
import { Notice } from '../../kit/window/dialog.tsx'
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

type Properties = {
  build: Build
  /** The order as it was read. */
  seen: Seen
  outputs: Page<Output> | undefined
  missing: Missing
  onDone: () => void
  onClose: () => void
}

/** Asks to finish a build order: says what is missing, each with what becomes of it; where nothing is, Enter does it. */
export function FinishBuild({ build, seen, outputs, missing, onDone, onClose }: Properties) {
  const open = outputs?.count ?? 0
  if (outputs && open > 0)
    return (
      <Notice title={t('builds.not-yet', { reference: build.reference })} onClose={onClose}>
        <p>
          {count('builds.still-open', open)} {listed(outputs.results.map(outputName), open)}
        </p>
        <p>{t('builds.still-open-more')}</p>
      </Notice>
    )
  const { over, unallocated } = missing
  const units = build.part_detail?.units
  const said: Record<string, string | false> = {
    accept_overallocated: over.count > 0 && `${count('builds.over', over.count)} ${linesOf(over)}`,
    accept_unallocated: unallocated.count > 0 && `${count('builds.unallocated', unallocated.count)} ${linesOf(unallocated)}`,
    accept_incomplete:
      compare(build.completed, build.quantity) < 0 &&
      t('builds.incomplete', { made: number(build.completed), wanted: quantity(build.quantity, units) }),
  }
  const names = Object.keys(said).filter((name) => said[name])
  return (
    <FormDialog<unknown>
      title={t('builds.finish')}
      facts={facts}
      start={{ accept_overallocated: 'reject', accept_unallocated: false, accept_incomplete: false }}
      names={names}
      without="rest"
      own={(form) =>
        Object.fromEntries(names.map((name) => [name, () => <Field form={form} name={name} help={said[name] || null} />]))
      }
      button={t('builds.finish')}
      send={(values, key) => postSeen(`/api/build/${build.pk}/`, 'finish', values, key, seen)}
      done={() => t('builds.was-finished', { reference: build.reference })}
      onDone={onDone}
      onClose={onClose}
    >
      <p class="about">
        <strong>{`${build.reference} · ${build.part_detail?.full_name ?? ''}`}</strong>
        {names.length === 0 && <span>{t('builds.nothing-missing')}</span>}
      </p>
    </FormDialog>
  )
}

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
