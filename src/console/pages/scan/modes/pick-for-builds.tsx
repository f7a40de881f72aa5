import { formatNumber, formatWithUnit, t } from '../../../kit/language/language.ts'
import { get } from '../../../kit/service/api.ts'
import { calculateConsumed } from '../../../kit/values/consumed-quantity.ts'
import { sumAmounts } from '../../../kit/values/exact.ts'
import type { Station } from '../../../scanner/station.ts'
import { type BuildLine, calculateUnallocated, formatOutputName, type Output } from '../../builds/build-details.ts'
import { useOrderLines } from '../order-lines.ts'
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
  openFilter: { active: true },
  listQuery: { part_detail: true, ordering: 'target_date' },
  getDescription: ({ part_detail }) => part_detail?.full_name,
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
      getDetails: ({ kind, pk }) => (kind === 'stockitem' && candidates.includes(pk) ? { build_line, output: pk } : undefined),
    }
  },
  Lines,
}

async function readLineChoices(candidates: readonly number[]): Promise<ChoiceQuestion['choices']> {
  const lines = await Promise.all(candidates.map((pk) => get<BuildLine>(`/api/build/line/${pk}/?build_detail=true`)))
  return lines.map(({ body: line }) => ({
    text: [
      line.part_detail?.full_name,
      line.bom_item_detail?.reference,
      formatWithUnit(calculateUnallocated(line), line.part_detail?.units),
    ]
      .filter(Boolean)
      .join(' · '),
    choose: async () => ({ build_line: line.pk }),
  }))
}

/** A tracked component goes into one of the incomplete outputs. */
async function readOutputChoices(candidates: readonly number[], build_line: number): Promise<ChoiceQuestion['choices']> {
  const outputs = await Promise.all(candidates.map((pk) => get<Output>(`/api/stock/${pk}/`)))
  return outputs.map(({ body: output }) => ({
    text: formatOutputName(output),
    choose: async () => ({ build_line, output: output.pk }),
  }))
}

/** The components of the order and their allocations; consumables have none. */
function Lines({ order, station }: { order: number; station: Station }) {
  const lines = useOrderLines<BuildLine>('/api/build/line/', { build: order, consumable: false, build_detail: true }, station)
  if (!lines) return null
  return <Progress title={t('scan.lines-of-build')} rows={lines.map(createRow)} />
}

/** Components installed in complete outputs count as done, too. */
function createRow(line: BuildLine) {
  const { pk, part_detail: part, bom_item_detail: item, quantity: total, allocated } = line
  const done = Number(sumAmounts([allocated, calculateConsumed(line)]))
  return {
    pk,
    text: part?.full_name ?? '',
    detail: [item?.reference, item?.optional && t('parts.optional'), part?.trackable && t('scan.into-outputs')]
      .filter(Boolean)
      .join(' · '),
    done,
    of: total,
    progressText: t('scan.of', { done: formatNumber(done), of: formatNumber(total) }),
    unit: part?.units ?? '',
  }
}
