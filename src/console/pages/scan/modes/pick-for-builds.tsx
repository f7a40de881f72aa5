import { number, quantity, t } from '../../../kit/language/language.ts'
import { get } from '../../../kit/service/api.ts'
import { builtIn } from '../../../kit/values/built-in.ts'
import { sum } from '../../../kit/values/exact.ts'
import type { Station } from '../../../scanner/station.ts'
import { type BuildLine, missingQuantity, type Output, outputName } from '../../builds/build-details.ts'
import { useLinesOf } from '../lines-of.ts'
import { Progress } from '../progress.tsx'
import type { ChoiceQuestion, PickTarget } from './pick-for.ts'

/** Maximum number of outputs offered; with more outputs one is scanned. */
const MAX_OFFERED = 12

/** Picks stock for build orders. */
export const pickForBuilds: PickTarget = {
  name: 'build',
  kind: 'build',
  title: 'scan.build-orders',
  role: 'build',
  url: '/api/build/',
  open: { active: true },
  listQuery: { part_detail: true, ordering: 'target_date' },
  of: ({ part_detail }) => part_detail?.full_name,
  action: 'build-allocate',
  field: 'build',
  async buildQuestion({ body }) {
    const candidates = body.candidates as number[]
    const offeredCandidates = candidates.slice(0, MAX_OFFERED)
    if (body.build_line === undefined) return { title: t('scan.which-line'), choices: await readLineChoices(offeredCandidates) }
    const build_line = body.build_line as number
    return {
      title: t('scan.which-output'),
      choices: await readOutputChoices(offeredCandidates, build_line),
      detailsOf: ({ kind, pk }) => (kind === 'stockitem' && candidates.includes(pk) ? { build_line, output: pk } : undefined),
    }
  },
  Lines,
}

async function readLineChoices(candidates: readonly number[]): Promise<ChoiceQuestion['choices']> {
  const lines = await Promise.all(candidates.map((pk) => get<BuildLine>(`/api/build/line/${pk}/?build_detail=true`)))
  return lines.map(({ body: line }) => ({
    text: [line.part_detail?.full_name, line.bom_item_detail?.reference, quantity(missingQuantity(line), line.part_detail?.units)]
      .filter(Boolean)
      .join(' · '),
    choose: async () => ({ build_line: line.pk }),
  }))
}

/** A tracked component goes into one of the incomplete outputs. */
async function readOutputChoices(candidates: readonly number[], build_line: number): Promise<ChoiceQuestion['choices']> {
  const outputs = await Promise.all(candidates.map((pk) => get<Output>(`/api/stock/${pk}/`)))
  return outputs.map(({ body: output }) => ({
    text: outputName(output),
    choose: async () => ({ build_line, output: output.pk }),
  }))
}

/** The components of the order and their allocations; consumables have none. */
function Lines({ order, station }: { order: number; station: Station }) {
  const lines = useLinesOf<BuildLine>('/api/build/line/', { build: order, consumable: false, build_detail: true }, station)
  if (!lines) return null
  return <Progress title={t('scan.lines-of-build')} rows={lines.map(rowOf)} />
}

/** Components installed in complete outputs count as done, too. */
function rowOf(line: BuildLine) {
  const { pk, part_detail: part, bom_item_detail: item, quantity: of, allocated } = line
  const done = Number(sum([allocated, builtIn(line)]))
  return {
    pk,
    text: part?.full_name ?? '',
    more: [item?.reference, item?.optional && t('parts.optional'), part?.trackable && t('scan.into-outputs')]
      .filter(Boolean)
      .join(' · '),
    done,
    of,
    progressText: t('scan.of', { done: number(done), of: number(of) }),
    unit: part?.units ?? '',
  }
}
